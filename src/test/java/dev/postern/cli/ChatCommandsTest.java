package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.CallReport;
import dev.postern.call.Outcome;
import dev.postern.cli.render.Terminal;
import dev.postern.policy.Mode;
import dev.postern.run.Approver.Question;
import dev.postern.run.Approver.Verdict;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunOrder.AllowedTool;
import dev.postern.run.RunReport;
import dev.postern.run.RunReport.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that start runs of agents, with a run that a test decides.
class ChatCommandsTest {
    private static final String RUN = "run_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e";
    private static final String CHAT = "chat_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e";
    private static final String ARGUMENTS = "{\"path\":\"/tmp/a\u202Eb\"}";

    @TempDir
    private Path temporary;

    private CliHarness cli;
    private final List<RunOrder> orders = new ArrayList<>();
    private @Nullable Verdict verdict;

    @BeforeEach
    void setUp() {
        cli = new CliHarness(temporary);
        cli.config("{\"mcpServers\": [" + server("files", "write") + "," + server("git", "log") + "]}");
    }

    private static String server(String id, String tool) {
        return "{\"id\": \"" + id + "\", \"enabled\": true, \"command\": \"server\", \"args\": [], \"tools\": [\""
                + tool + "\"]}";
    }

    private static RunReport report(State state, @Nullable ErrorCode code, int unknown) {
        var problem = code == null ? null : new Problem(code, "It went wrong.", "Do better.");
        return new RunReport(RUN, CHAT, state, problem, "Hi.", new RunReport.Counts(2, 1, unknown, 30, 12));
    }

    private void answers(RunReport report) {
        cli.host.agent = (order, approver, events, cancellation) -> {
            orders.add(order);
            events.accept(new RunEvent.Started(RUN, CHAT));
            events.accept(new RunEvent.Notice(new Problem(ErrorCode.SERVER_FAILED, "Server b failed.", "See why.")));
            events.accept(new RunEvent.Text("I look "));
            events.accept(new RunEvent.Text("it up\u001b[31m."));
            events.accept(new RunEvent.AnswerEnded());
            events.accept(new RunEvent.CallStarted("call_1", "files", "read", FakeHost.json(ARGUMENTS)));
            events.accept(new RunEvent.CallEnded(
                    new CallReport("call_1", "files", "read", new Outcome.Succeeded(FakeHost.result("content")), 12)));
            events.accept(new RunEvent.Text("Hi."));
            events.accept(new RunEvent.AnswerEnded());
            events.accept(new RunEvent.Ended(report));
            return new Answer.Here<>(report);
        };
    }

    private void asks() {
        cli.host.agent = (order, approver, events, cancellation) -> {
            verdict = approver.ask(
                    new Question("appr_1", RUN, "files", "write", FakeHost.json(ARGUMENTS), Duration.ofSeconds(30)),
                    cancellation);
            return new Answer.Here<>(report(State.COMPLETED, null, 0));
        };
    }

    @Test
    @Tag("RUN-4")
    @Tag("CAT-5")
    void showTheModelsWordsOnStandardOutputAndWhatHappensOnStandardError() {
        answers(report(State.COMPLETED, null, 0));

        var result = cli.run("chat", "new", "Look it up");

        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("I look it up\\u{1B}[31m.\nHi.\n");
        assertThat(result.err()).contains(CHAT, "Server b failed.", "-> files read", "<- files read: succeeded");
        assertThat(result.out() + result.err()).doesNotContain("\u001b", "\u202E");
        assertThat(orders.getFirst().prompt()).isEqualTo("Look it up");
        assertThat(orders.getFirst().mode()).isEqualTo(Mode.CHAT);
        assertThat(orders.getFirst().session()).isInstanceOf(RunOrder.Session.New.class);
    }

    @Test
    @Tag("CLI-8")
    @Tag("RUN-4")
    void writeOneJsonObjectALineForPrograms() {
        answers(report(State.COMPLETED, null, 0));

        var result = cli.run("--json", "exec", "--prompt", "Go");

        assertThat(result.err()).isEmpty();
        var events = result.out().lines().map(line -> FakeHost.json(line)).toList();
        assertThat(events.stream().map(event -> event.path("event").asText()))
                .containsExactly("started", "notice", "text", "text", "call-started", "call-ended", "text", "ended");
        assertThat(events.get(5).path("outcome").asText()).isEqualTo("succeeded");
        var ended = events.getLast();
        assertThat(ended.path("state").asText()).isEqualTo("completed");
        assertThat(ended.path("turns").asInt()).isEqualTo(2);
        assertThat(ended.path("inputTokens").asInt()).isEqualTo(30);
        assertThat(orders.getFirst().session()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "COMPLETED,,0,0",
        "COMPLETED,,1,6",
        "LIMIT,RUN_TURNS,0,7",
        "CANCELLED,CANCELLED,1,130",
        "FAILED,MODEL_UNAVAILABLE,0,9",
        "FAILED,STORAGE_UNWRITABLE,0,1"
    })
    @Tag("CLI-5")
    void endWithTheExitCodeOfTheRun(State state, @Nullable ErrorCode code, int unknown, int expected) {
        answers(report(state, code, unknown));

        var result = cli.run("exec", "--prompt", "Go");

        assertThat(result.code()).isEqualTo(expected);
        assertThat(result.err().contains("It went wrong.")).isEqualTo(code != null);
        assertThat(result.err().contains("may have been done")).isEqualTo(unknown > 0);
    }

    @Test
    @Tag("CLI-8")
    void tellWhyNoRunBeganAsTheOneObject() {
        cli.host.agent = (order, approver, events, cancellation) ->
                new Answer.Not<>(new Problem(ErrorCode.MODEL_ABSENT, "No model.", "Configure one."));

        var result = cli.run("--json", "chat", "new", "Hi");

        assertThat(result.code()).isEqualTo(9);
        assertThat(result.json().path("error").path("code").asText()).isEqualTo("model.absent");
    }

    @ParameterizedTest
    @CsvSource({"y,Yes", "YES,Yes", "a,YesForRun", "no,No", "'what\nn',No", "'1\n2\n3\ny',No", "'',Silence"})
    @Tag("APR-2")
    void askAtTheTerminal(String typed, String expected) {
        asks();
        cli.terminal = new Terminal(true, false, true, 80, false, null);
        cli.in = Typing.later(typed.isEmpty() ? "" : typed + "\n");

        var result = cli.run("chat", "new", "Write");

        assertThat(Objects.requireNonNull(verdict).getClass().getSimpleName()).isEqualTo(expected);
        assertThat(result.err()).contains("files write", "/tmp/a\\u202eb", "[y]es, [n]o");
        assertThat(result.out()).doesNotContain("[y]es");
    }

    @Test
    @Tag("APR-1")
    void takeNothingForAnAnswerThatWasTypedBeforeTheQuestion() {
        asks();
        cli.terminal = new Terminal(true, false, true, 80, false, null);
        cli.in = Typing.before("y\na\n" + "y".repeat(5_000) + "\n", "n\n");

        cli.run("chat", "new", "Write");

        assertThat(verdict).isInstanceOf(Verdict.No.class);
    }

    @Test
    @Tag("APR-2")
    void refuseAtOnceWithoutATerminalAndNameTheFlag() {
        asks();

        cli.run("chat", "new", "Write");

        assertThat(verdict).isInstanceOf(Verdict.Nobody.class);
        var why = ((Verdict.Nobody) Objects.requireNonNull(verdict)).why();
        assertThat(why.next()).contains("--allow files/write");
    }

    @Test
    @Tag("APR-2")
    void canNotWaitForAnAnswerFromElsewhereWithoutAWorker() {
        asks();

        cli.run("exec", "--wait-for-approval", "--prompt", "Write");

        assertThat(((Verdict.Nobody) Objects.requireNonNull(verdict)).why().message())
                .contains("without a worker");
    }

    @Test
    @Tag("APR-1")
    void takeEveryToolThatTheyAllow() {
        answers(report(State.COMPLETED, null, 0));

        cli.run("chat", "new", "--allow", "files/write", "--allow", "git/log", "--allow", "builtin/notes_write", "Go");

        assertThat(orders.getFirst().allowed())
                .containsExactlyInAnyOrder(
                        new AllowedTool("files", "write"),
                        new AllowedTool("git", "log"),
                        new AllowedTool("builtin", "notes_write"));
    }

    @Test
    @Tag("RUN-4")
    void readTheTextFromStandardInput() {
        answers(report(State.COMPLETED, null, 0));
        cli.input("Long\ntext\n");

        cli.run("exec", "--prompt", "-");

        assertThat(orders.getFirst().prompt()).isEqualTo("Long\ntext\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chat",
                "chat new",
                "chat new ''",
                "chat new --allow files Hi",
                "chat new --allow /x Hi",
                "chat new --allow nobody/write Hi",
                "chat new --allow files/red Hi",
                "chat new --allow builtin/notes_wrote Hi",
                "chat continue",
                "chat continue chat_none Hi",
                "chat show chat_none",
                "chat show run_1",
                "chat delete chat_none",
                "chat list --limit 0",
                "chat list --cursor run_1",
                "exec",
                "exec Hi",
                "runs watch run_none",
                "runs cancel run_none",
                "runs approve appr_none",
                "runs refuse"
            })
    @Tag("CLI-5")
    void answerWrongUsageWithItsExitCode(String command) {
        answers(report(State.COMPLETED, null, 0));

        var result = cli.run(command.replace("''", " ").split(" (?! )", -1));

        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(orders).isEmpty();
    }
}
