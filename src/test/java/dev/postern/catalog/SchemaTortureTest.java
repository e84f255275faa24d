package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.catalog.ToolSchema.Violation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What has brought validators down: each is excluded by the lint, or settles at once. The bound only guards
/// against hanging.
@Tag("F8")
@Tag("CAT-3")
class SchemaTortureTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Limits WIDEST = Limits.standard()
            .with(Limit.SCHEMA_BYTES, 262_144)
            .with(Limit.SCHEMA_NODES, 8_192)
            .with(Limit.SCHEMA_DEPTH, 32);

    private static String excluded(String schema) {
        Fault fault = new SchemaLint(Limits.standard(), Json.AS_IS).input(Json.of(schema));
        return fault == null ? "fit" : fault.code().code();
    }

    private static List<Violation> validate(String schema, JsonNode instance) {
        return validate(Json.of(schema), instance, Limits.standard());
    }

    private static List<Violation> validate(JsonNode schema, JsonNode instance, Limits limits) {
        return assertTimeoutPreemptively(BOUND, () -> {
            assertThat(new SchemaLint(limits, Json.AS_IS).output(schema)).isNull();
            return new LazySchema(schema, Json.AS_IS).validate(instance);
        });
    }

    private static void assertTooMuchWork(List<Violation> violations) {
        assertThat(violations)
                .containsExactly(new Violation(
                        "", "takes more than 20000000 steps to check against the schema; send less at once"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9/s.json",
                "https://example.com/s",
                "file:///etc/passwd",
                "classpath:/draft-07/schema"
            })
    void nothingIsFetchedForAReference(String uri) {
        assertThat(excluded("{'type':'object','allOf':[{'$ref':'" + uri + "'}]}"))
                .isEqualTo("schema.ref-remote");
    }

    @Test
    void nothingIsFetchedForADialect() {
        assertThat(excluded("{'type':'object','$schema':'http://127.0.0.1:9/meta'}"))
                .isEqualTo("schema.dialect");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'$ref':'#/nowhere' | schema.ref-dangling",
                "'pattern':'(' | schema.pattern",
                "'allOf':[{'$ref':'#'}] | schema.ref-cyclic",
                "'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}},'$ref':'#/$defs/a' | schema.ref-cyclic",
                "'pattern':'(a*)*\\\\1b' | schema.pattern",
                "'pattern':'(?=x)' | schema.pattern"
            })
    void excludesWhatMakesValidatorsThrow(String member, String code) {
        assertThat(excluded("{'type':'object'," + member + "}")).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 20, 25, 60})
    void excludesReferencesThatDoubleAtEachStep(int steps) {
        var defs = new StringBuilder();
        for (int i = 0; i < steps; i++) {
            String next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
            defs.append("'d")
                    .append(i)
                    .append("':{'anyOf':[")
                    .append(next)
                    .append(',')
                    .append(next)
                    .append("]},");
        }
        String schema = "{'type':'object','$defs':{" + defs + "'d" + steps + "':{'const':1}},'$ref':'#/$defs/d0'}";
        assertTimeoutPreemptively(BOUND, () -> assertThat(excluded(schema)).isEqualTo("schema.unfolding"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+$", "(x+x+)+y", "(a|aa)+$", "(.*a){20}", "(a?){40}a{40}"})
    void matchesCatastrophicPatternsInLinearTime(String pattern) {
        String text = "ax".repeat(20_000) + "!";
        List<Violation> violations = validate(
                "{'pattern':'" + pattern + "'}", Json.MAPPER.getNodeFactory().textNode(text));
        assertThat(violations).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void refusesToSearchWhatWouldTakeLong() {
        JsonNode text = Json.MAPPER.getNodeFactory().textNode("x".repeat(65_536));
        assertTooMuchWork(validate("{'pattern':'(x?){500}x{500}y'}", text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'multipleOf':0.01",
                "'enum':[1.0]",
                "'type':'integer','maximum':5",
                "'const':1",
                "'uniqueItems':true"
            })
    void refusesNumbersThatArithmeticChokesOn(String member) {
        String schema = "{" + member + "}";
        for (String number : List.of("1e100000", "1e999999999", "-1e-999999999", "1e401")) {
            JsonNode value = DecimalNode.valueOf(new BigDecimal(number));
            assertThat(validate(schema, value)).extracting(Violation::pointer).containsExactly("");
            JsonNode nested =
                    Json.object("{}").set("a", Json.MAPPER.createArrayNode().add(value));
            assertThat(validate(schema, nested))
                    .containsExactly(
                            new Violation("/a/0", "is a number with more than 64 digits or an exponent beyond ±400"));
        }
        assertThat(validate(schema, Json.parse("1".repeat(65)))).isNotEmpty();
        assertThat(validate(schema, DoubleNode.valueOf(Double.NaN))).isNotEmpty();
    }

    @Test
    void computesWithTheLargestNumbersThereAre() {
        JsonNode large = Json.parse("1e400");
        assertThat(validate("{'multipleOf':0.01}", large)).isEmpty();
        assertThat(validate("{'multipleOf':3e-400}", large)).hasSize(1);
        assertThat(validate("{'type':'integer','maximum':5}", large)).hasSize(1);
        assertThat(validate("{'enum':[1.0]}", large)).hasSize(1);
        assertThat(validate("{'type':'integer'}", large)).isEmpty();
    }

    @Test
    void settlesAFloodOfDivisions() {
        JsonNode divisors = Json.of(
                "{'items':{'not':{'anyOf':[" + "{'multipleOf':7e-400},".repeat(150) + "{'multipleOf':3e-400}]}}}");
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 13_000; i++) {
            many.add(Json.parse("1e400"));
        }
        assertTooMuchWork(validate(divisors, many, Limits.standard()));
    }

    @Test
    @Tag("LIM-3")
    void settlesAFloodOfAlternativesWithoutMemory() {
        var alternatives = new StringBuilder("{'const':'v'}");
        for (int i = 0; i < 160; i++) {
            alternatives.append(",{'const':'v").append(i).append("'}");
        }
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 32_000; i++) {
            many.add(1);
        }
        List<Violation> violations = validate("{'items':{'anyOf':[" + alternatives + "]}}", many);
        assertThat(violations).hasSize(16).extracting(Violation::message).containsOnly("fits none of 161 alternatives");
    }

    @Test
    void givesUpOnWorkBeyondTheBudget() {
        JsonNode schema = Json.of("{'items':{'anyOf':[" + "{'items':false},".repeat(3_000) + "{'type':'null'}]}}");
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 30_000; i++) {
            many.add(Json.of("[1]"));
        }
        assertThat(validate(schema, many, WIDEST)).isNotEmpty();
        JsonNode not = Json.of("{'items':{'not':{'anyOf':[" + "{'items':false},".repeat(2_000) + "{'type':'null'}]}}}");
        assertTooMuchWork(validate(not, many, WIDEST));
    }

    @Test
    void findsEqualItemsAmongManyAtOnce() {
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 30_000; i++) {
            many.addObject().put("a", i).put("b", i % 7);
        }
        assertThat(validate("{'uniqueItems':true}", many)).isEmpty();
        many.add(Json.of("{'b':0.0,'a':7.0}"));
        assertThat(validate("{'uniqueItems':true}", many))
                .containsExactly(new Violation("", "must have no equal items; those at 7 and 30000 are"));
    }

    @Test
    void survivesTheLongestChainOfReferencesOnASmallStack() throws InterruptedException {
        var defs = new StringBuilder();
        for (int i = 0; i < 250; i++) {
            defs.append("'d")
                    .append(i)
                    .append("':{'$ref':'#/$defs/d")
                    .append(i + 1)
                    .append("','minLength':1},");
        }
        JsonNode schema = Json.of("{'$defs':{" + defs + "'d250':{'type':'string'}},'$ref':'#/$defs/d0'}");
        ToolSchema chain = new LazySchema(schema, Json.AS_IS);
        assertThat(new SchemaLint(WIDEST, Json.AS_IS).output(schema)).isNull();
        var found = new AtomicReference<List<Violation>>(List.of());
        Thread thread = new Thread(null, () -> found.set(chain.validate(Json.of("5"))), "small stack", 256 << 10);
        thread.start();
        thread.join();
        assertThat(found.get()).containsExactly(new Violation("", "must be string, not integer"));
    }

    @Test
    void turnsAFaultOfOursIntoAViolation() {
        ToolSchema schema = new LazySchema(Json.of("{'$ref':'#'}"), Json.AS_IS);
        assertThat(schema.validate(Json.of("1")))
                .containsExactly(new Violation("", "could not be checked against the schema (IllegalStateException)"));
    }

    @Test
    void refusesInstancesThatNestTooDeep() {
        JsonNode deep = Json.of("[".repeat(64) + "]".repeat(64));
        assertThat(validate("{}", deep)).isEmpty();
        assertThat(validate("{}", Json.of("[".repeat(65) + "]".repeat(65))))
                .containsExactly(new Violation("", "nests deeper than 64 levels"));
        ObjectNode bottomless = Json.object("{}");
        ObjectNode at = bottomless;
        for (int i = 0; i < 100_000; i++) {
            at = at.putObject("a");
        }
        assertThat(validate("{}", bottomless)).containsExactly(new Violation("", "nests deeper than 64 levels"));
    }

    @Test
    void refusesInstancesWithTooManyValues() {
        ArrayNode many = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 1 << 20; i++) {
            many.add(true);
        }
        assertThat(validate("{}", many)).containsExactly(new Violation("", "holds more than 1048576 JSON values"));
    }

    @Test
    void excludesSchemasThatNestTooDeepForAnyone() {
        ObjectNode schema = Json.object("{'type':'object'}");
        ObjectNode at = schema;
        for (int i = 0; i < 100_000; i++) {
            at = at.putObject("default");
        }
        assertThat(new SchemaLint(WIDEST, Json.AS_IS).input(schema))
                .isEqualTo(new Fault(ExclusionCode.SCHEMA_MALFORMED, "nests more than 128 levels of JSON"));
    }

    @Test
    void boundsWhatItSaysAboutAHugeName() {
        ObjectNode instance = Json.object("{}").put("n".repeat(60_000), 1);
        Violation violation =
                validate("{'additionalProperties':false}", instance).getFirst();
        assertThat(violation.pointer()).hasSize(1_001).endsWith("…");
        assertThat(violation.message()).hasSizeLessThan(401);
    }
}
