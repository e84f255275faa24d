package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.ScriptRun.Started;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Ctrl-C in a chat that runs in a process of its own, and a reader that leaves.
@ExtendWith(LeavesNothingBehind.class)
class ChatSignalsIT {
    @TempDir
    private Path dir;

    private ChatKit kit;
    private Path record = Path.of("");

    @BeforeEach
    void opens() throws IOException {
        record = dir.resolve("record");
        kit = new ChatKit(dir);
    }

    @AfterEach
    void closes() {
        kit.close();
    }

    private Started startsACall(Script script, String... timeouts) throws IOException {
        var server = kit.server("s", script.era("legacy").record(record), "slow");
        for (int i = 0; i < timeouts.length; i += 2) {
            server.withObject("/timeouts").put(timeouts[i], timeouts[i + 1]);
        }
        kit.configure();
        kit.model.then(kit.call("s", "slow", ChatKit.object().put("millis", 0)));
        var started =
                kit.postern("chat", "new", "--allow", "s/slow", "Go slow.").start();
        WorkerKit.awaitRecord(record, "tools/call");
        return started;
    }

    @Test
    @Tag("RUN-6")
    @Tag("CLI-5")
    void duringACallEndsWith130AndRecordsTheCallAsUnknown() throws Exception {
        var started = startsACall(Script.behaving().on("call:slow", "nothing"), "call", "1h");

        ChatKit.signal(started.process().pid(), "INT");

        var ended = started.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        assertThat(ended.err()).contains("<- s slow: unknown", "1 call of it may have been done");
        var run = kit.session(ChatKit.id("chat", ended.err())).at("/runs/0");
        assertThat(run.path("state").asText()).isEqualTo("cancelled");
        assertThat(run.at("/calls/0/outcome").asText()).isEqualTo("unknown");
        assertThat(kit.model.asked()).hasSize(1);
        WorkerKit.awaitRecord(record, "notifications/cancelled");
        assertThat(ChatKit.received(record)).isOne();
    }

    @Test
    @Tag("RUN-6")
    @Tag("RUN-4")
    void whileTheModelSpeaksEndsWith130AndLeavesTheModel() throws Exception {
        kit.configure();
        kit.model.then(ModelTurn.text("I was about to ").ending(End.SILENT));
        var started = kit.postern("chat", "new", "Talk.").start();
        await().atMost(WorkerKit.PATIENCE).until(() -> started.out().contains("I was about"));

        ChatKit.signal(started.process().pid(), "INT");

        var ended = started.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        assertThat(ended.out().strip()).isEqualTo("I was about to");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.model.busy() == 0);
        var run = kit.session(ChatKit.id("chat", ended.err())).at("/runs/0");
        assertThat(run.path("state").asText()).isEqualTo("cancelled");
        assertThat(run.path("messages").toString()).contains("I was about to");
    }

    @Test
    @Timeout(60)
    @Tag("RUN-6")
    @Tag("PRC-3")
    void aSecondOneDoesNotWaitForAServerThatWillNotEnd() throws Exception {
        var stubborn = Script.behaving().ignoresEof().ignoresTerm().on("call:slow", "nothing");
        var started = startsACall(stubborn, "call", "1h", "close", "30s");
        ChatKit.signal(started.process().pid(), "INT");
        WorkerKit.awaitRecord(record, "#eof");

        ChatKit.signal(started.process().pid(), "INT");

        var ended = started.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        var run = kit.session(ChatKit.id("chat", ended.err())).at("/runs/0");
        assertThat(run.path("state").asText()).isEqualTo("cancelled");
        assertThat(run.at("/calls/0/outcome").asText()).isEqualTo("unknown");
    }

    @Test
    @Tag("APR-2")
    @Tag("CLI-5")
    void atTheQuestionEndsWith130AndNothingIsSent() throws Exception {
        kit.server("s", Script.behaving().record(record), "slow");
        kit.configure();
        kit.model.then(kit.call("s", "slow", ChatKit.object().put("millis", 0)));
        try (var terminal = AtTerminal.start(kit, dir, "chat new 'Go slow.'")) {
            terminal.awaits("[a]ll further");

            terminal.type("\u0003");

            var ended = terminal.end();
            assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
            assertThat(ended.out()).contains("s slow: refused", "The run was cancelled");
            assertThat(kit.session(ChatKit.id("chat", ended.out()))
                            .at("/runs/0/state")
                            .asText())
                    .isEqualTo("cancelled");
            assertThat(ChatKit.received(record)).isZero();
        }
    }

    @Test
    @Tag("APR-1")
    void whatWasTypedBeforeTheQuestionIsNoAnswerToIt() throws Exception {
        kit.server("s", Script.behaving().record(record), "slow");
        kit.configure();
        kit.model.then(kit.call("s", "slow", ChatKit.object().put("millis", 0)), ModelTurn.text("Then not."));
        try (var terminal = AtTerminal.start(kit, dir, "chat new 'Go slow.'")) {
            terminal.type("y\n");
            terminal.awaits("[a]ll further");

            terminal.type("n\n");

            var ended = terminal.end();
            assertThat(ended.out()).contains("s slow: refused");
            assertThat(ChatKit.received(record)).isZero();
        }
    }

    @Test
    @Tag("CLI-6")
    @Tag("RUN-6")
    void aReaderThatLeavesEndsTheRunQuietly() throws IOException {
        kit.configure();
        kit.model.then(ModelTurn.text("and so on ").ending(End.ENDLESS));

        var cut = kit.environment(ScriptRun.of(
                        "/bin/sh", "-c", "\"$0\" exec --prompt Talk | head -c 6", ScriptTree.REAL_LAUNCHER))
                .run();

        assertThat(cut.out()).isEqualTo("and so");
        assertThat(cut.err()).isEmpty();
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.model.busy() == 0);
        var run = WorkerKit.json(
                kit.postern("--json", "runs", "show", kit.run()).run().out());
        assertThat(run.path("state").asText()).isEqualTo("cancelled");
    }

    @Test
    @Tag("CLI-6")
    void watchingEndsWhenItsReaderHasGoneAndTheRunGoesOn() throws Exception {
        kit.configure();
        kit.model.then(ModelTurn.text("I was about to ").ending(End.SILENT));
        var started = kit.postern("exec", "--prompt", "Talk.").start();
        await().atMost(WorkerKit.PATIENCE).until(() -> started.out().contains("I was about"));

        var cut = kit.environment(ScriptRun.of(
                        "/bin/sh", "-c", "\"$0\" runs watch \"$1\" | head -c 7", ScriptTree.REAL_LAUNCHER, kit.run()))
                .run();

        assertThat(cut.out()).isEqualTo("system:");
        assertThat(cut.err()).isEmpty();
        assertThat(started.process().isAlive()).isTrue();
        ChatKit.signal(started.process().pid(), "INT");
        assertThat(started.end().exit()).isEqualTo(130);
    }
}
