package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.app.ScriptRun.Started;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A chat that the worker runs for the packaged program.
@ExtendWith(LeavesNothingBehind.class)
class ChatWorkerIT {
    private static final String[] CHAT = {"chat", "new", "--allow", "s/echo", "Say hi."};

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
    void endsTheWorker() {
        var _ = kit.postern("worker", "stop").run();
        kit.close();
    }

    private void starts(Script script) throws IOException {
        kit.server("s", script.era("legacy").record(record), "echo")
                .putObject("timeouts")
                .put("call", "1h");
        kit.configure();
        var started = kit.postern("worker", "start").run();
        assertThat(started.exit()).as("%s", started).isZero();
    }

    private long worker() throws IOException {
        return Long.parseLong(
                Files.readAllLines(kit.data.resolve("run/worker.pid")).getFirst());
    }

    private String log() throws IOException {
        return Files.readString(kit.data.resolve("logs/worker.log"));
    }

    private ModelTurn.Answer echo(String... said) {
        return kit.and(ModelTurn.text(said), "s", "echo", ChatKit.object().put("text", "hi"));
    }

    private Ended ok(Object... words) {
        var ended = kit.postern(words).run();
        assertThat(ended.exit()).as("%s", ended).isZero();
        return ended;
    }

    /// Until the run is recorded as ended.
    private void awaitState(String run, String state) {
        await().atMost(WorkerKit.PATIENCE)
                .until(() -> WorkerKit.json(ok("--json", "runs", "show", run).out())
                        .path("state")
                        .asText()
                        .equals(state));
    }

    private static String scrubbed(Ended ended) {
        return (ended.exit() + "\n" + ended.out() + "\n---\n" + ended.err())
                .replaceAll("chat_[0-9a-f-]+", "chat_ID")
                .replaceAll("\\(\\d+ ms\\)", "(0 ms)");
    }

    @Test
    @Tag("WRK-3")
    @Tag("RUN-4")
    void aForwardedChatPrintsAndEndsAsALocalOne() throws IOException {
        starts(Script.behaving());
        for (int i = 0; i < 3; i++) {
            kit.model.then(echo("I ", "say it."), ModelTurn.text("I said ", "it."));
        }

        var forwarded = kit.postern((Object[]) CHAT).run();
        var log = log();
        var own = kit.postern("chat", "new", "Say hi.")
                .with("POSTERN_MCP_SERVERS", "[]")
                .run();
        ok("worker", "stop");
        kit.model.then(echo("I ", "say it."), ModelTurn.text("I said ", "it."));
        var local = kit.postern((Object[]) CHAT).run();

        assertThat(forwarded.exit()).as("%s", forwarded).isZero();
        assertThat(forwarded.out()).isEqualTo("I say it.\nI said it.\n");
        assertThat(scrubbed(forwarded)).isEqualTo(scrubbed(local));
        assertThat(log).contains("chat new ended with 0");
        assertThat(own.exit()).as("%s", own).isZero();
        assertThat(own.err()).contains("POSTERN_MCP_SERVERS is set").doesNotContain("s echo: succeeded");
        assertThat(log()).containsOnlyOnce("chat new ended");
    }

    @ParameterizedTest
    @CsvSource({"approve,succeeded,1", "refuse,refused,0"})
    @Tag("APR-2")
    @Tag("WRK-2")
    void aCallWaitsForTheOwnersWordFromAnotherProcess(String word, String outcome, int sent) throws IOException {
        starts(Script.behaving());
        kit.model.then(echo(), ModelTurn.text("Done."));
        var chat = kit.postern("chat", "new", "--wait-for-approval", "Say hi.").start();
        await().atMost(WorkerKit.PATIENCE).until(() -> chat.err().contains("runs approve appr_"));
        var id = ChatKit.id("appr", chat.err());

        var waiting = ok("runs", "approvals");
        assertThat(ChatKit.received(record)).isZero();
        var unknown = kit.postern("runs", word, "appr_nobody").run();
        var answered = ok("--json", "runs", word, id);
        var ended = chat.end();

        assertThat(waiting.out()).contains(id, "s echo", "\"text\": \"hi\"");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(WorkerKit.json(answered.out()).path("approved").asBoolean()).isEqualTo(word.equals("approve"));
        assertThat(ended.exit()).as("%s", ended).isZero();
        assertThat(ended.out()).isEqualTo("Done.\n");
        assertThat(ended.err()).contains("\"text\": \"hi\"", "<- s echo: " + outcome);
        assertThat(ChatKit.received(record)).isEqualTo(sent);
        assertThat(ok("runs", "approvals").out()).contains("No call waits");
        assertThat(kit.postern("runs", word, id).run().exit()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"y,succeeded,1", "n,refused,0"})
    @Tag("APR-2")
    @Tag("WRK-2")
    void whoeverSitsAtTheClientsTerminalIsAsked(String typed, String outcome, int sent) throws Exception {
        starts(Script.behaving());
        kit.model.then(echo(), ModelTurn.text("Done."));
        try (var terminal = AtTerminal.start(kit, dir, "chat new 'Say hi.'")) {
            terminal.awaits("[a]ll further");
            assertThat(ChatKit.received(record)).isZero();

            terminal.type(typed + "\n");

            var ended = terminal.end();
            assertThat(ended.exit()).as("%s", ended).isZero();
            assertThat(ended.out()).contains("May the model call s echo?", "\"text\": \"hi\"", "s echo: " + outcome);
            assertThat(ChatKit.received(record)).isEqualTo(sent);
            assertThat(log()).contains("chat new ended with 0");
        }
    }

    @Test
    @Tag("APR-2")
    @Tag("CLI-5")
    void ctrlCAtTheQuestionEndsTheRunAndNothingIsSent() throws Exception {
        starts(Script.behaving());
        kit.model.then(echo());
        try (var terminal = AtTerminal.start(kit, dir, "chat new 'Say hi.'")) {
            terminal.awaits("[a]ll further");

            terminal.type("\u0003");

            var ended = terminal.end();
            assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
            assertThat(ended.out()).contains("s echo: refused", "The run was cancelled");
            awaitState(kit.run(), "cancelled");
            assertThat(ChatKit.received(record)).isZero();
        }
    }

    @Test
    @Tag("APR-1")
    void whatWasTypedBeforeTheQuestionIsNoAnswerToIt() throws Exception {
        starts(Script.behaving());
        kit.model.then(echo(), ModelTurn.text("Then not."));
        try (var terminal = AtTerminal.start(kit, dir, "chat new 'Say hi.'")) {
            terminal.type("y\n");
            terminal.awaits("[a]ll further");

            terminal.type("n\n");

            assertThat(terminal.end().out()).contains("s echo: refused");
            assertThat(ChatKit.received(record)).isZero();
        }
    }

    @Test
    @Tag("CLI-6")
    @Tag("RUN-6")
    void aReaderThatLeavesEndsTheRunQuietly() throws IOException {
        starts(Script.behaving());
        kit.model.then(ModelTurn.text("and so on ").ending(End.ENDLESS));

        var cut = kit.environment(ScriptRun.of(
                        "/bin/sh", "-c", "\"$0\" exec --prompt Talk | head -c 6", ScriptTree.REAL_LAUNCHER))
                .run();

        assertThat(cut.out()).isEqualTo("and so");
        assertThat(cut.err()).isEmpty();
        awaitState(kit.run(), "cancelled");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.model.busy() == 0);
    }

    @Test
    @Tag("RUN-4")
    @Tag("RUN-6")
    @Tag("WRK-2")
    void whatStreamsIsSeenAtOnceAndTheRunCanBeCancelledFromElsewhere() throws IOException {
        starts(Script.behaving());
        kit.model.then(ModelTurn.text("I was about to ").ending(End.SILENT));
        var chat = kit.postern((Object[]) CHAT).start();
        await().atMost(WorkerKit.PATIENCE).until(() -> chat.out().contains("I was about"));
        var run = kit.run();

        var cancelled = ok("--json", "runs", "cancel", run);

        var ended = chat.end();
        assertThat(WorkerKit.json(cancelled.out()).path("cancelled").asBoolean())
                .isTrue();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        assertThat(ended.err()).contains("cancelled");
        await().atMost(WorkerKit.PATIENCE).until(() -> kit.model.busy() == 0);
        assertThat(kit.postern("runs", "cancel", run).run().exit()).isEqualTo(2);
        assertThat(ok("--json", "runs", "watch", run).out()).contains("\"cancelled\"", "I was about to");
    }

    @Test
    @Tag("RUN-6")
    @Tag("WRK-2")
    void aClientThatVanishesHasItsRunCancelled() throws Exception {
        starts(Script.behaving().on("call:echo", "nothing"));
        kit.model.then(echo());
        var chat = callInFlight();
        var run = kit.run();

        ChatKit.signal(chat.process().pid(), "KILL");

        assertThat(chat.end().exit()).isEqualTo(137);
        awaitState(run, "cancelled");
        var shown = WorkerKit.json(ok("--json", "runs", "show", run).out());
        assertThat(shown.at("/calls/0/outcome").asText()).isEqualTo("unknown");
        WorkerKit.awaitRecord(record, "notifications/cancelled");
        assertThat(kit.model.asked()).hasSize(1);
        assertThat(ok("mcp", "status").out()).contains("Owner: worker");
    }

    private Started callInFlight() {
        var chat = kit.postern((Object[]) CHAT).start();
        WorkerKit.awaitRecord(record, "tools/call");
        return chat;
    }

    @Test
    @Tag("RUN-6")
    @Tag("CLI-5")
    void ctrlCInAClientCancelsItsRunOnly() throws Exception {
        starts(Script.behaving().on("call:echo", "nothing"));
        kit.model.then(echo());
        var chat = callInFlight();

        ChatKit.signal(chat.process().pid(), "INT");

        var ended = chat.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        assertThat(ended.err()).contains("<- s echo: unknown");
        kit.model.then(ModelTurn.text("Still here."));
        assertThat(ok("exec", "--prompt", "Hello?").out()).isEqualTo("Still here.\n");
        assertThat(log()).contains("exec ended with 0");
    }

    @Test
    @Tag("WRK-1")
    @Tag("CAL-3")
    @Tag("CAL-4")
    @Tag("RUN-1")
    void aKilledWorkerEndsTheClientWith8AndLeavesASessionThatTellsAndGoesOn() throws Exception {
        starts(Script.behaving().on("call:echo#1", "answer").on("call:echo#2", "nothing"));
        kit.model.then(echo(), echo());
        var chat = kit.postern((Object[]) CHAT).start();
        await().atMost(WorkerKit.PATIENCE).until(() -> ChatKit.received(record) == 2);
        long pid = worker();

        ChatKit.signal(pid, "KILL");

        var ended = chat.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(8);
        assertThat(ended.err())
                .contains("runs list`", "runs show`", "worker start`")
                .doesNotContain("Exception");
        var session = ChatKit.id("chat", ended.err());
        var run = kit.session(session).at("/runs/0");
        assertThat(run.path("state").asText()).isEqualTo("failed");
        assertThat(run.path("code").asText()).isEqualTo("run.owner-died");
        assertThat(run.at("/calls/0/outcome").asText()).isEqualTo("succeeded");
        assertThat(run.at("/calls/1/outcome").asText()).isEqualTo("unknown");

        kit.model.then(ModelTurn.text("It may have been said twice."));
        assertThat(ok("chat", "continue", session, "What happened?").out()).isEqualTo("It may have been said twice.\n");
        assertThat(kit.model.asked().getLast().body().toString()).contains("It may have been done");
        assertThat(ChatKit.received(record)).isEqualTo(2);
    }

    @Test
    @Tag("WRK-4")
    void sigtermLetsACallOfARunComeToItsEndAndTheRunWithIt() throws Exception {
        starts(Script.behaving().on("call:echo", "sleep 1500").on("call:echo", "answer"));
        kit.model.then(echo(), ModelTurn.text("Said."));
        var chat = callInFlight();
        long pid = worker();

        ChatKit.signal(pid, "TERM");

        var ended = chat.end();
        assertThat(ended.exit()).as("%s", ended).isEqualTo(130);
        assertThat(ended.err()).contains("s echo: succeeded", "told to end", "Continue the session");
        assertThat(log()).contains("told to end; 1 commands are running");
        var handle = ProcessHandle.of(pid);
        if (handle.isPresent()) {
            handle.get().onExit().get(1, TimeUnit.MINUTES);
        }
    }
}
