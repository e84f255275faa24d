package dev.postern.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.CallRequest.ArgumentsSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CLI-3")
class ArgumentTextTest {
    private static final JsonNode NO_SCHEMA = JsonNodeFactory.instance.objectNode();
    private static final int CEILING = 1 << 20;

    @TempDir
    Path temporary;

    @Test
    @Tag("CLI-5")
    void takesAbsentArgumentsForTheEmptyObject() {
        assertThat(arguments(List.of(), null, "")).hasToString("{}");
    }

    @Test
    void takesOneJsonObject() {
        assertThat(arguments(List.of(" {\"a\": [1, 2.50]} "), null, "")).hasToString("{\"a\":[1,2.50]}");
    }

    @Test
    @Tag("WIR-3")
    void keepsBigNumbersExact() {
        var text = "{\"n\":123456789012345678901234567890.12345678901234567890,\"e\":1E+400}";

        assertThat(arguments(List.of(text), null, "")).hasToString(text);
    }

    @Test
    void readsJsonFromAFile() throws IOException {
        var file = Files.writeString(temporary.resolve("a b.json"), "\uFEFF{\"x\": \"é😀\"}\n");

        assertThat(arguments(List.of(), file.toString(), "")).hasToString("{\"x\":\"é😀\"}");
    }

    @Test
    void readsJsonFromStandardInput() {
        assertThat(arguments(List.of(), "-", "{\"x\":1}")).hasToString("{\"x\":1}");
    }

    @Test
    void namesLineAndColumnOfJsonThatDoesNotParse() {
        assertThat(problem(List.of(), "-", "{\n  \"a\": 1,\n  \"a\": 2\n}").message())
                .contains("standard input", "line 3, column 3", "duplicate key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1} x",
                "{\"a\":1,}",
                "{'a':1}",
                "{\"a\":NaN}",
                "{\"a\":1e401}",
                "{\"a\":\"\\ud800\"}",
                "{",
                "[1,2]",
                "\"text\"",
                "17",
                "null",
                "true"
            })
    void refusesWhatIsNoStrictJsonObjectAsWrongUsage(String text) {
        assertThat(problem(List.of(text), null, "").code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
        assertThat(problem(List.of(), "-", text).code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
    }

    @Test
    void refusesEmptyStandardInput() {
        assertThat(problem(List.of(), "-", "").message()).contains("standard input", "does not parse");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        var bytes = new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'};
        var answer = ArgumentText.read(List.of(), "-", new ByteArrayInputStream(bytes), ArgumentTextTest::open);

        assertThat(((Answer.Not<ArgumentsSource>) answer).problem().message()).contains("UTF-8");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        var missing = temporary.resolve("missing.json").toString();

        assertThat(problem(List.of(), missing, "").message()).contains(missing, "does not exist");
    }

    @Test
    void refusesADirectoryInPlaceOfAFile() {
        assertThat(problem(List.of(), temporary.toString(), "").message()).contains("is a directory");
    }

    @Test
    void refusesAPathThatNoSystemHas() {
        assertThat(problem(List.of(), "a\0b", "").code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
    }

    @Test
    void refusesAWordThatIsNeitherJsonNorAPair() {
        assertThat(problem(List.of("hello"), null, "").message()).contains("'hello'", "name=value");
    }

    @Test
    void refusesAPairWithoutAName() {
        assertThat(problem(List.of("=x"), null, "").code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
    }

    @Test
    void refusesANameGivenTwice() {
        assertThat(problem(List.of("a=1", "b=2", "a=3"), null, "").message()).contains("argument a is given twice");
    }

    @Test
    void refusesToMixJsonAndPairs() {
        assertThat(problem(List.of("{\"a\":1}", "b=2"), null, "").message()).contains("can't be mixed");
        assertThat(problem(List.of("b=2", "{\"a\":1}"), null, "").message()).contains("can't be mixed");
    }

    @Test
    void refusesToMixAFileAndWords() {
        assertThat(problem(List.of("b=2"), "-", "{}").message()).contains("twice");
    }

    @Test
    void leavesStandardInputAloneUnlessAskedForIt() {
        var untouched = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("standard input was read");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                throw new AssertionError("standard input was read");
            }
        };

        assertThat(ArgumentText.read(List.of("{}"), null, untouched, ArgumentTextTest::open))
                .isInstanceOf(Answer.Here.class);
    }

    @Test
    @Tag("LIM-1")
    @Tag("LIM-3")
    void refusesMoreThanAnyConfigurationMayAllowOnlyWhenTheToolIsKnown() {
        var large = "{\"a\":\"" + "x".repeat(CEILING) + "\"}";
        var source = source(List.of(), "-", large);

        var problem = ((Answer.Not<ObjectNode>) source.arguments(NO_SCHEMA)).problem();
        assertThat(problem.code()).isEqualTo(ErrorCode.ARGUMENTS_LIMIT);
        assertThat(problem.message()).contains("1048576", "limits.argumentBytes");
    }

    @Test
    @Tag("LIM-3")
    void stopsReadingEndlessInput() {
        var endless = new InputStream() {
            long given;

            @Override
            public int read() {
                given++;
                return '1';
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                given += length;
                assertThat(given).isLessThan(4L * CEILING);
                Arrays.fill(into, offset, offset + length, (byte) '1');
                return length;
            }
        };

        assertThat(ArgumentText.read(List.of(), "-", endless, ArgumentTextTest::open))
                .isInstanceOf(Answer.Here.class);
    }

    @Test
    @Tag("LIM-1")
    void takesExactlyTheCeiling() {
        var text = "{\"a\":\"" + "x".repeat(CEILING - 8) + "\"}";

        assertThat(text).hasSize(CEILING);
        assertThat(arguments(List.of(), "-", text).get("a").textValue()).hasSize(CEILING - 8);
    }

    private static ObjectNode arguments(List<String> words, @Nullable String file, String input) {
        return ((Answer.Here<ObjectNode>) source(words, file, input).arguments(NO_SCHEMA)).value();
    }

    private static ArgumentsSource source(List<String> words, @Nullable String file, String input) {
        return ((Answer.Here<ArgumentsSource>) read(words, file, input)).value();
    }

    private static Problem problem(List<String> words, @Nullable String file, String input) {
        return ((Answer.Not<ArgumentsSource>) read(words, file, input)).problem();
    }

    private static Answer<ArgumentsSource> read(List<String> words, @Nullable String file, String input) {
        return ArgumentText.read(
                words, file, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), ArgumentTextTest::open);
    }

    private static InputStream open(String file) throws IOException {
        var path = Path.of(file);
        if (Files.isDirectory(path)) {
            throw new IOException("it is a directory");
        }
        return Files.newInputStream(path);
    }
}
