package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.config.Approval;
import dev.postern.host.HostKit.Server;
import dev.postern.model.ModelReply;
import dev.postern.policy.Mode;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/// A process that runs an agent up to a phase, says `PHASE chat_…` there, and waits for its end.
final class AgentMain {
    private AgentMain() {}

    /// The places at which it can be killed.
    enum Phase {
        FIRST_ANSWER,
        APPROVAL,
        CALL,
        SECOND_ANSWER
    }

    /// Runs until it is killed.
    ///
    /// @param args the data directory and the phase
    public static void main(String... args) {
        var phase = Phase.valueOf(args[1]);
        var server = Server.of("s", Script.behaving()).approval(phase == Phase.APPROVAL ? Approval.ASK : Approval.AUTO);
        var kit = AgentKit.of(Path.of(args[0]), server)
                .owners(new ProcessOwners())
                .start();
        if (phase == Phase.FIRST_ANSWER) {
            kit.model.then((onText, deadline, cancellation) -> reached(kit));
        }
        var call = phase == Phase.CALL
                ? AgentKit.call("s", "slow", "{\"millis\":9000}")
                : AgentKit.call("s", "echo", "{\"text\":\"x\"}");
        kit.model.says("I call.", call);
        if (phase == Phase.CALL) {
            Thread.ofPlatform().start(() -> {
                while (kit.events(RunEvent.CallStarted.class).isEmpty() || !intended(kit)) {
                    Thread.onSpinWait();
                }
                reached(kit);
            });
        }
        kit.model.then((onText, deadline, cancellation) -> reached(kit));
        kit.approver((question, cancellation) -> {
            reached(kit);
            throw new IllegalStateException();
        });
        kit.run(new RunOrder(Mode.CHAT, "Go.", new RunOrder.Session.New(), Set.of()), new Cancellation());
    }

    private static boolean intended(AgentKit kit) {
        var id = kit.events(RunEvent.CallStarted.class).getFirst().callId();
        return kit.records.call(id) instanceof Answer.Here<?>;
    }

    private static ModelReply reached(AgentKit kit) {
        System.out.println(
                "REACHED " + kit.events(RunEvent.Started.class).getFirst().sessionId());
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException();
    }
}
