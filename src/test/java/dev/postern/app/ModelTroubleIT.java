package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.catalog.ModelNames;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.ModelTurn.End;
import dev.postern.testkit.ModelTurn.Refusal.Why;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What its owner sees of a model that misbehaves.
@ExtendWith(LeavesNothingBehind.class)
class ModelTroubleIT {
    @TempDir
    private Path dir;

    private ChatKit kit;
    private Path record = Path.of("");

    @BeforeEach
    void opens() throws IOException {
        record = dir.resolve("record");
        kit = new ChatKit(dir);
        kit.server("s", Script.behaving().record(record), "echo").put("approval", "auto");
    }

    @AfterEach
    void closes() {
        kit.close();
    }

    private Ended exec() throws IOException {
        kit.configure();
        var ended = kit.postern("exec", "--prompt", "Go.").run();
        assertThat(ended.err()).doesNotContain("Exception", "\tat ");
        return ended;
    }

    private String told(int request) {
        return kit.model.asked().get(request).body().toString();
    }

    private ModelTurn.Answer echo(String text) {
        return kit.call("s", "echo", ChatKit.object().put("text", text));
    }

    private ModelTurn.Answer calls(int count) {
        var answer = ModelTurn.text();
        for (int i = 0; i < count; i++) {
            answer = kit.and(answer, "s", "echo", ChatKit.object().put("text", "call " + i));
        }
        return answer;
    }

    @Test
    @Tag("RUN-2")
    void twoHundredCallsAtOnceAreAllRefusedAndAModelThatGivesInIsHeard() throws IOException {
        kit.model.then(calls(200), ModelTurn.text("All right."));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isZero();
        assertThat(ended.out()).isEqualTo("All right.\n");
        assertThat(told(1)).contains("asked for 200 calls at once", "32 left of 32");
        assertThat(ChatKit.received(record)).isZero();
    }

    @Test
    @Tag("RUN-2")
    @Tag("CLI-5")
    void aModelThatGoesOnAskingForTooMuchEndsWith7() throws IOException {
        kit.config().putObject("run").put("maxTurns", 3);
        kit.model.then(calls(33), calls(33), calls(33));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isEqualTo(7);
        assertThat(ended.err()).contains("run.maxTurns", "3 times");
        assertThat(kit.model.asked()).hasSize(3);
        assertThat(ChatKit.received(record)).isZero();
    }

    @Test
    @Tag("RUN-2")
    @Tag("MOD-3")
    void anUnknownToolAndBrokenArgumentsRefuseWhatWasAskedForBesides() throws IOException {
        var echo = ModelNames.of("s", "echo");
        kit.model.then(
                echo("never").calling("x1", "delete_everything", "{}"),
                echo("never").calling("x2", echo, "{\"input\": \"{"),
                echo("never").calling("x3", echo, "{\"input\": \"{\\\"text\\\": 5}\"}"),
                ModelTurn.text("I give up."));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isZero();
        assertThat(ended.out()).isEqualTo("I give up.\n");
        assertThat(told(1)).contains("offers no tool of that name", "Another call of the same answer was refused");
        assertThat(told(2)).contains("not JSON");
        assertThat(told(3)).contains("/text");
        assertThat(ChatKit.received(record)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = End.class,
            names = {"BROKEN", "UNFINISHED", "ERROR"})
    @Tag("MDL-2")
    @Tag("CLI-5")
    @Tag("CAL-3")
    void halfAnAnswerAfterACallEndsWith9AndRepeatsNothing(End end) throws IOException {
        kit.model.then(echo("once"), ModelTurn.text("As far as I ", "can tell").ending(end), ModelTurn.text("No."));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isEqualTo(9);
        assertThat(ended.out()).startsWith("As far as I").endsWith("\n");
        assertThat(ended.err()).contains("<- s echo: succeeded", "m-1");
        assertThat(kit.model.asked()).hasSize(2);
        assertThat(ChatKit.received(record)).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "openai, FAULT, status 500, Try again later",
        "anthropic, OVERFLOW, prompt is too long, model.contextTokens",
        "gemini, OVERFLOW, exceeds the maximum number of tokens, model.contextTokens"
    })
    @Tag("MDL-2")
    @Tag("CLI-5")
    void anErrorOfEachProviderEndsWith9WithItsWordsAndANextStep(String provider, Why why, String seen, String next)
            throws IOException {
        kit.provider(provider);
        kit.model.then(ModelTurn.refusal(why), ModelTurn.text("No."));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isEqualTo(9);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("m-1", seen, next);
        assertThat(kit.model.asked()).hasSize(1);
    }

    @Test
    @Tag("MDL-2")
    void aRateLimitIsWaitedForAsTold() throws IOException {
        kit.model.then(
                new ModelTurn.Raw(429, Map.of("retry-after", "1"), "{\"error\":{\"message\":\"Slow down.\"}}"),
                ModelTurn.text("Now."));

        var ended = exec();

        assertThat(ended.exit()).as("%s", ended).isZero();
        assertThat(ended.out()).isEqualTo("Now.\n");
        assertThat(ended.err()).contains("asked again in 1s");
        assertThat(kit.model.asked()).hasSize(2);
    }
}
