package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.Refusal.Why;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A chat as its owner has it: the packaged program, a server from npm, and a model behind HTTP.
@ExtendWith(LeavesNothingBehind.class)
class ChatProgramIT {
    @TempDir
    private Path dir;

    private ChatKit kit;
    private Path today = Path.of("");

    @BeforeEach
    void opens() throws IOException {
        kit = new ChatKit(dir);
    }

    @AfterEach
    void closes() {
        kit.close();
    }

    private void withFiles() throws IOException {
        assumeTrue(
                ChatKit.hasFilesServer(),
                "skipped: the servers are not installed; run npm ci --ignore-scripts in src/test/interop");
        today = kit.files("buy milk");
    }

    private ModelTurn.Answer reads(String... said) {
        return kit.and(
                ModelTurn.text(said),
                "files",
                "read_text_file",
                ChatKit.object().put("path", today.toString()));
    }

    private String body(int request) {
        return kit.model.asked().get(request).body().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "gemini"})
    @Tag("MDL-1")
    @Tag("RUN-4")
    @Tag("CLI-8")
    @Tag("RES-4")
    void aModelOfEachProviderReadsARealFileAndSaysWhatIsInIt(String provider) throws IOException {
        withFiles();
        kit.provider(provider).configure();
        kit.model.then(reads("I look ", "it up."), ModelTurn.text("You are to ", "buy milk."));
        kit.model.then(reads("Once more."), ModelTurn.text("Still milk."));

        var chat = kit.postern("chat", "new", "--allow", "files/read_text_file", "What is in today.txt?")
                .run();
        var exec = kit.postern("--json", "exec", "--allow", "files/read_text_file", "--prompt", "Read it.")
                .run();

        assertThat(chat.exit()).as("%s", chat).isZero();
        assertThat(chat.out()).isEqualTo("I look it up.\nYou are to buy milk.\n");
        assertThat(chat.err())
                .contains(
                        "session chat_", "-> files read_text_file", "today.txt", "<- files read_text_file: succeeded");
        assertThat(body(0)).contains("What is in today.txt?").doesNotContain("buy milk");
        assertThat(body(1)).contains("buy milk", "untrusted data");
        assertThat(exec.exit()).as("%s", exec).isZero();
        assertThat(exec.err()).isEmpty();
        var events = ChatKit.lines(exec);
        assertThat(events.stream().map(event -> event.path("event").asText()))
                .containsSubsequence("started", "text", "call-started", "call-ended", "text", "ended");
        assertThat(events.getFirst().path("sessionId").isNull()).isTrue();
        var ended = events.getLast();
        assertThat(ended.path("state").asText()).isEqualTo("completed");
        assertThat(ended.path("text").asText()).isEqualTo("Still milk.");
        assertThat(ended.path("inputTokens").asInt()).isEqualTo(22);
        assertThat(body(2)).doesNotContain("What is in today.txt?");
    }

    @Test
    @Tag("RUN-4")
    @Tag("RUN-1")
    void aSessionCanBeListedShownContinuedWatchedAndDeleted() throws IOException {
        withFiles();
        kit.configure();
        kit.model.then(reads(), ModelTurn.text("Milk."), ModelTurn.text("Flour."));
        var first = kit.postern("chat", "new", "--allow", "files/read_text_file", "What do I need?")
                .run();
        var session = ChatKit.id("chat", first.err());

        var second =
                kit.postern("chat", "continue", session, "And for pancakes?").run();

        assertThat(second.exit()).as("%s", second).isZero();
        assertThat(second.out()).isEqualTo("Flour.\n");
        assertThat(body(2)).contains("What do I need?", "buy milk", "Milk.", "And for pancakes?");
        assertThat(kit.postern("chat", "list").run().out()).contains(session, "What do I need?", " 2 ");
        assertThat(kit.postern("chat", "show", session).run().out())
                .contains(
                        "you: What do I need?",
                        "model: Milk.",
                        "call files read_text_file: succeeded",
                        "you: And for pancakes?",
                        "model: Flour.",
                        "run completed");
        var runs = kit.session(session).path("runs");
        assertThat(runs).hasSize(2);
        assertThat(runs.at("/0/calls/0/server").asText()).isEqualTo("files");
        assertThat(runs.at("/0/calls/0/outcome").asText()).isEqualTo("succeeded");

        var run = runs.at("/1/runId").asText();
        var messages = kit.postern("runs", "show", run, "--messages").run();
        assertThat(messages.out())
                .contains("postern_mcp_read_text_file_", "What do I need?", "buy milk", "And for pancakes?", "turn 1");
        var watched = kit.postern("runs", "watch", runs.at("/0/runId").asText()).run();
        assertThat(watched.exit()).as("%s", watched).isZero();
        assertThat(watched.out()).contains("What do I need?", "call files read_text_file: succeeded", "run completed");
        var events = ChatKit.lines(kit.postern("--json", "runs", "watch", run).run());
        assertThat(events.getLast().path("event").asText()).isEqualTo("ended");
        assertThat(events.getLast().path("state").asText()).isEqualTo("completed");

        assertThat(kit.postern("chat", "delete", session).run().exit()).isZero();
        assertThat(kit.postern("chat", "show", session).run().exit()).isEqualTo(2);
        assertThat(kit.postern("runs", "show", run).run().exit()).isEqualTo(2);
        assertThat(kit.postern("chat", "continue", session, "Still there?")
                        .run()
                        .exit())
                .isEqualTo(2);
        assertThat(kit.model.asked()).hasSize(3);
    }

    @Test
    @Tag("APR-2")
    void withoutATerminalAndWithoutTheFlagACallIsRefusedAtOnceAndTheFlagIsNamed() throws IOException {
        var record = dir.resolve("record");
        kit.server("s", Script.behaving().record(record), "echo");
        kit.configure();
        var echo = kit.call("s", "echo", ChatKit.object().put("text", "hi"));
        kit.model.then(echo, ModelTurn.text("Then not."), echo, ModelTurn.text("Then not."));

        var ran = kit.postern("chat", "new", "Say hi.").run();
        var json = kit.postern("--json", "chat", "new", "Say hi.").run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.out()).isEqualTo("Then not.\n");
        assertThat(ran.err()).contains("s echo: refused", "no terminal", "--allow s/echo");
        assertThat(body(1)).contains("refused", "needs the owner's approval");
        var ended = ChatKit.lines(json).stream()
                .filter(event -> event.path("event").asText().equals("call-ended"))
                .findFirst()
                .orElseThrow();
        assertThat(ended.path("outcome").asText()).isEqualTo("refused");
        assertThat(ended.path("next").asText()).contains("--allow s/echo");
        assertThat(ChatKit.received(record)).isZero();
    }

    @Test
    @Tag("RUN-5")
    @Tag("CLI-5")
    void oneServerThatCannotStartIsToldAndTheOtherServes() throws IOException {
        kit.server("broken", Script.behaving().atStart("exit 3"), "echo");
        kit.server("s", Script.behaving(), "echo");
        kit.configure();
        kit.model.then(
                kit.and(
                        kit.call("s", "echo", ChatKit.object().put("text", "hi")),
                        "s",
                        "echo",
                        ChatKit.object().put("text", "there")),
                ModelTurn.text("Said."));

        var ran =
                kit.postern("exec", "--allow", "s/echo", "--prompt", "Say hi.").run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.out()).isEqualTo("Said.\n");
        assertThat(ran.err()).contains("broken", "exit code 3", "<- s echo: succeeded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "gemini"})
    @Tag("MDL-2")
    @Tag("CLI-5")
    void aWrongKeyEndsWith9AndNamesTheReference(String provider) throws IOException {
        kit.provider(provider).keyed().configure();
        kit.model.then(ModelTurn.refusal(Why.KEY));

        var ran = kit.postern("exec", "--prompt", "Hi.").run();

        assertThat(ran.exit()).as("%s", ran).isEqualTo(9);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("credential:brain", "model.apiKey").doesNotContain(ChatKit.KEY);
        assertThat(kit.model.asked()).hasSize(1);
    }

    @Test
    @Tag("SEC-5")
    @Tag("SEC-6")
    void theKeyOfTheModelIsSentToTheModelAndFoundNowhereElse() throws IOException {
        kit.keyed();
        kit.server("s", Script.behaving().tool("env"), "env", "echo").put("approval", "auto");
        kit.configure();
        kit.model.then(
                kit.and(
                        kit.call("s", "env", ChatKit.object()),
                        "s",
                        "echo",
                        ChatKit.object().put("text", ChatKit.KEY)),
                ModelTurn.text("My key is ", ChatKit.KEY + " or so."),
                new ModelTurn.Refusal(Why.FAULT, "Your key " + ChatKit.KEY + " is fine, I am not."));

        var chat = kit.postern("chat", "new", "Tell me " + ChatKit.KEY).run();
        var failed = kit.postern("--json", "exec", "--prompt", "Hi.").run();
        var shown = kit.postern("chat", "show", ChatKit.id("chat", chat.err())).run();
        var doctor = kit.postern("doctor").run();

        assertThat(chat.exit()).as("%s", chat).isZero();
        assertThat(chat.out()).contains("My key is [redacted:");
        assertThat(failed.exit()).as("%s", failed).isEqualTo(9);
        assertThat(kit.model.asked().getFirst().headers()).containsEntry("authorization", "Bearer " + ChatKit.KEY);
        assertThat(kit.model.asked().toString().replace("Bearer " + ChatKit.KEY, ""))
                .as("the model's own words come back to it redacted")
                .doesNotContain(ChatKit.KEY);
        assertThat(List.of(chat, failed, shown, doctor).toString()).doesNotContain(ChatKit.KEY);
        try (var files = Files.walk(kit.data)) {
            for (var file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(kit.data.resolve("auth")))
                    .toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(ChatKit.KEY);
            }
        }
        assertThat(kit.data.resolve("postern.db")).isNotEmptyFile();
    }

    @Test
    @Tag("MDL-1")
    @Tag("CLI-5")
    void aMissingKeyEndsWith9AndSaysHowToStoreIt() throws IOException {
        kit.config().withObject("/model").putObject("apiKey").put("credential", "absent");
        kit.configure();

        var ran = kit.postern("--json", "chat", "new", "Hi.").run();

        assertThat(ran.exit()).as("%s", ran).isEqualTo(9);
        JsonNode error = WorkerKit.json(ran.out()).path("error");
        assertThat(error.path("code").asText()).isEqualTo("model.authentication");
        assertThat(error.path("next").asText()).contains("credential set absent");
        assertThat(kit.model.asked()).isEmpty();
    }
}
