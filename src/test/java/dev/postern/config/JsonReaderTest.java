package dev.postern.config;

import static dev.postern.config.Configs.problem;
import static dev.postern.config.Configs.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.secret.SecretRef;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CFG-1")
class JsonReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"limits\":{},}           | 13 | nothing after this comma",
                "{,\"limits\":{}}           | 2  | nothing before this comma",
                "{\"limits\":{},,\"timeouts\":{}} | 14 | nothing before this comma",
                "{\"limits\":{} \"timeouts\":{}} | 14 | comma is missing",
                "{\"mcpServers\":[,]}       | 16 | nothing before this comma",
                "{\"limits\" {}}            | 11 | colon is missing",
                "{\"limits\"}               | 10 | colon is missing",
                "{\"limits\":}              | 11 | value is missing",
                "{limits:{}}                | 2  | not in double quotes",
                "{\"limits\":{\"pages\":08}} | 20 | not a number",
                "{\"limits\":{\"pages\":+8}} | 20 | bare word",
                "{\"limits\":{\"pages\":8.}} | 20 | not a number",
                "{\"limits\":{\"pages\":.8}} | 20 | bare word",
                "{\"limits\":{\"pages\":8e}} | 20 | not a number",
                "{\"limits\":{\"pages\":0x8}} | 20 | not a number",
                "{\"limits\":{\"pages\":NaN}} | 20 | bare word",
                "{\"limits\":{\"pages\":-Infinity}} | 20 | not a number",
                "{\"$schema\":True}          | 12 | bare word",
                "{\"$schema\":\"\\x\"}       | 13 | no such escape",
                "{\"$schema\":\"\\u12g4\"}   | 13 | not complete",
                "{\"$schema\":\"\\ud800\"}   | 12 | half of a surrogate pair",
                "{\"$schema\":\"\\udc00\\ud800\"} | 12 | half of a surrogate pair",
                "{} {}                       | 4  | text after the end",
                "{}]                         | 3  | text after the end"
            })
    void survivesAMistakeAndSaysWhereItIs(String file, int column, String message) {
        var problem = problem(file);

        assertThat(problem.message()).contains(message);
        assertThat(problem.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | 1 | no JSON",
                "`  // only a comment` | 20 | no JSON",
                "{ | 2 | text ends before the bracket at line 1, column 1",
                "{\"limits\":{} | 13 | text ends before",
                "{\"limits\": | 11 | text ends before",
                "{\"limits\" | 10 | text ends before",
                "{\"mcpServers\":[} | 16 | does not match the one at line 1, column 15",
                "{] | 2 | does not match",
                "{\"limits | 2 | does not end on its line",
                "{} /* x | 4 | comment does not end",
                "{'limits':{}} | 2 | the character ' can't",
                "{\"$schema\":'x'} | 12 | the character ' can't",
                "# x | 1 | the character # can't",
                "{} / | 4 | text after the end",
                "{\"limits\"::{}} | 11 | the character : can't",
                "} | 1 | the character } can't",
                "{\u00a0} | 2 | the character U+00A0 can't"
            })
    void stopsWhereNothingCanBeUnderstood(String file, int column, String message) {
        var problem = problem(file);

        assertThat(problem.message()).contains(message);
        assertThat(problem.column()).isEqualTo(column);
    }

    @Test
    void reportsSeveralMistakesOfSyntaxAndOfMeaningInOneRun() {
        assertThat(problems("{\n\"limits\": {\"pages\": 08,},\n\"timeouts\": {\"call\": soon}\n\"x\": 1 }"))
                .extracting(ConfigProblem::line, ConfigProblem::column)
                .containsExactly(tuple(2, 21), tuple(2, 23), tuple(3, 22), tuple(4, 1), tuple(4, 1));
    }

    @Test
    void doesNotJudgeWhatWasReadBeforeTheReadingStopped() {
        assertThat(problem("{\"unknown\":1,\n\"limits\":{").line()).isEqualTo(2);
    }

    @Test
    void neverQuotesTheTextAtAMistake() {
        assertThat(problem("{\"$schema\": SECRETsecret }").text()).doesNotContain("SECRET");
        assertThat(problem("{\"$schema\": \"SECRET\n\"}").text()).doesNotContain("SECRET");
        assertThat(problem("{\"$schema\": \"SECRET\\z\"}").text()).doesNotContain("SECRET");
    }

    @Test
    void refusesControlCharactersInStrings() {
        assertThat(problem("{\"$schema\":\"a\tb\"}").message()).contains("U+0009");
    }

    @Test
    void readsEveryEscape() {
        var stdio = Configs.stdio(Configs.acceptedServer(
                "\"environment\":{\"A\":{\"value\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00😀\"}}"));

        assertThat(stdio.environment().get("A")).isEqualTo(new SecretRef.Literal("\"\\/\b\f\n\r\té😀😀"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void boundsTheDepth(String opener) {
        assertThat(problem(opener.repeat(100_000)).message()).contains("nested deeper than 64");
    }

    @Test
    void acceptsTheDeepestNesting() {
        String file = "{\"mcpServers\":[{\"id\":\"r\",\"enabled\":false,\"tools\":[],\"transport\":{\"type\":\"http\","
                + "\"url\":\"https://example.com/mcp\",\"oauth\":{\"x\":" + "[".repeat(59) + "]".repeat(59) + "}}}]}";

        assertThat(Configs.accepted(file).servers()).hasSize(1);
    }
}
