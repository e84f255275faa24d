package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.Threads;
import dev.postern.cli.render.Console;
import dev.postern.host.Records;
import dev.postern.host.Records.CallRecord;
import dev.postern.host.Records.Message;
import dev.postern.host.Records.RunRecord;
import dev.postern.host.Records.Transcript;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// `runs watch RUN`: follows a run of any process by what it records, to its end.
final class RunsWatchCommand implements Command {
    private static final Duration GLANCE = Duration.ofMillis(300);

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "watch",
                        "Follow a run: its messages and calls as they are recorded, up to its end.",
                        "Ctrl-C ends the watching, not the run.")
                .addPositional(Shapes.required(0, "RUN", "The id of the run, or a beginning that only it has."));
    }

    @Override
    public int run(Line line, Session session) {
        var mistake = RecordId.RUN.mistakeIn(line.value(0));
        if (mistake != null) {
            return session.fail(mistake);
        }
        return session.withRecords(records -> new Watching(session.console(), records).run(line.value(0), session));
    }

    /// What was shown of a run so far.
    private static final class Watching {
        private final Console console;
        private final Records records;
        private final Set<String> callsShown = new HashSet<>();
        private int messagesShown;

        Watching(Console console, Records records) {
            this.console = console;
            this.records = records;
        }

        int run(String id, Session session) {
            var whole = id;
            while (true) {
                switch (records.transcript(whole)) {
                    case Answer.Not<Transcript> not -> {
                        return session.fail(not.problem());
                    }
                    case Answer.Here<Transcript> here -> {
                        var run = here.value().run();
                        whole = run.summary().id();
                        show(here.value());
                        if (run.summary().state() != null) {
                            end(run);
                            return ExitCode.DONE;
                        }
                    }
                }
                if (console.unread()) {
                    return ExitCode.DONE;
                }
                if (session.cancellation().requested()) {
                    return session.fail(Session.CANCELLED);
                }
                Threads.pause(GLANCE);
            }
        }

        private void show(Transcript transcript) {
            var id = transcript.run().summary().id();
            var own = transcript.context().stream()
                    .filter(message -> message.runId().equals(id))
                    .toList();
            own.subList(Math.min(messagesShown, own.size()), own.size()).forEach(this::show);
            messagesShown = own.size();
            transcript.run().calls().forEach(this::show);
            console.out().flush();
        }

        private void show(Message message) {
            if (console.json()) {
                console.json(SessionText.object(message).put("event", "message"));
            } else {
                SessionText.print(console.out(), message);
            }
        }

        private void show(CallRecord call) {
            @Nullable String outcome = call.outcome();
            if (!callsShown.add(call.id() + outcome)) {
                return;
            }
            if (console.json()) {
                console.json(RecordText.object(console, call).put("event", "call"));
            } else {
                console.out()
                        .line("call " + call.server() + " " + call.tool() + ": " + RecordText.orOpen(outcome) + "  "
                                + call.id());
            }
        }

        private void end(RunRecord run) {
            if (console.json()) {
                console.json(RecordText.object(console, run.summary()).put("event", "ended"));
            } else {
                var trouble = run.summary().agent().trouble();
                console.out()
                        .line("run " + RecordText.orOpen(run.summary().state())
                                + (trouble == null ? "" : ": " + trouble.message()));
            }
        }
    }
}
