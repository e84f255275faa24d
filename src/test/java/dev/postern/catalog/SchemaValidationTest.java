package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Limits;
import dev.postern.catalog.ToolSchema.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("MOD-3")
@Tag("CAL-6")
class SchemaValidationTest {
    private static final String DRAFT_07 = "'$schema':'http://json-schema.org/draft-07/schema#'";

    private static List<Violation> violations(String schema, String instance) {
        JsonNode tree = Json.of(schema);
        assertThat(new SchemaLint(Limits.standard(), Json.AS_IS).output(tree))
                .as(schema)
                .isNull();
        return new LazySchema(tree, Json.AS_IS).validate(Json.of(instance));
    }

    private static void assertValid(String schema, String instance) {
        assertThat(violations(schema, instance)).as(schema + " " + instance).isEmpty();
    }

    private static void assertInvalid(String schema, String instance) {
        assertThat(violations(schema, instance)).as(schema + " " + instance).isNotEmpty();
    }

    /// What goes wrong, where, and in which words.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'string'} | 5 | `` | must be string, not integer",
                "{'type':['string','null']} | 1.5 | `` | must be null or string, not number",
                "{'required':['a']} | {} | `` | lacks the required property \"a\"",
                "{'properties':{'a':{'type':'boolean'}}} | {'a':'true'} | /a | must be boolean, not string",
                "{'properties':{'a':{'items':{'minimum':2}}}} | {'a':[2,1]} | /a/1 | must be at least 2",
                "{'properties':{'a/b~c':false}} | {'a/b~c':1} | /a~1b~0c | is not allowed here",
                "{'properties':{'p':{}},'additionalProperties':false} | {'q':1} | /q | is not a known property; known are p",
                "{'additionalProperties':false} | {'q':1} | /q | is not a known property",
                "{'enum':['a',2,null]} | 'b' | `` | must be one of \"a\", 2, null",
                "{'const':{'a':1}} | {'a':2} | `` | must be {\"a\":1}",
                "{'enum':[]} | 1 | `` | must be one of no values",
                "{'exclusiveMaximum':0.5} | 0.5 | `` | must be below 0.5",
                "{'maximum':1e2} | 101 | `` | must be at most 100",
                "{'exclusiveMinimum':0} | 0 | `` | must be above 0",
                "{'multipleOf':0.1} | 0.25 | `` | must be a multiple of 0.1",
                "{'minLength':2} | 'x' | `` | must have at least 2 characters, not 1",
                "{'maxLength':2} | 'xyz' | `` | must have at most 2 characters, not 3",
                "{'pattern':'^a'} | 'ba' | `` | must match the pattern ^a",
                "{'minItems':1} | [] | `` | must have at least 1 items, not 0",
                "{'maxItems':1} | [1,2] | `` | must have at most 1 items, not 2",
                "{'uniqueItems':true} | [1,2,1.0] | `` | must have no equal items; those at 0 and 2 are",
                "{'contains':{'const':1}} | [2] | `` | must have at least 1 items that fit \"contains\", not 0",
                "{'minProperties':1} | {} | `` | must have at least 1 properties, not 0",
                "{'maxProperties':0} | {'a':1} | `` | must have at most 0 properties, not 1",
                "{'propertyNames':{'maxLength':1}} | {'ab':1} | `` | has the property name \"ab\", which is not allowed",
                "{'dependentRequired':{'a':['b']}} | {'a':1} | `` | lacks the property \"b\", required with \"a\"",
                "{'not':{'type':'null'}} | null | `` | is of a form that \"not\" rules out",
                "{'anyOf':[{'minimum':5},{'maximum':1}]} | 3 | `` | fits none of 2 alternatives",
                "{'oneOf':[{'minimum':1},{'maximum':5}]} | 3 | `` | fits more than one of 2 alternatives; exactly one is wanted",
                "{'unevaluatedProperties':false} | {'a':1} | /a | is not a known property",
                "{'if':{'type':'string'},'then':{'minLength':1}} | '' | `` | must have at least 1 characters, not 0"
            })
    void saysWhatIsWrongAndWhere(String schema, String instance, String pointer, String message) {
        assertThat(violations(schema, instance)).containsExactly(new Violation(pointer, message));
    }

    @Test
    void speaksOfTheOneAlternativeThatCouldBeMeant() {
        String optional = "{'properties':{'a':{'anyOf':[{'type':'object','required':['x']},{'type':'null'}]}}}";
        assertThat(violations(optional, "{'a':{}}"))
                .containsExactly(new Violation("/a", "lacks the required property \"x\""));
        assertThat(violations(optional, "{'a':5}")).containsExactly(new Violation("/a", "fits none of 2 alternatives"));
    }

    @Test
    void reportsEveryViolationUpToSixteen() {
        assertThat(violations(
                        "{'properties':{'a':{'type':'string'},'b':{'minimum':1}},'required':['c'],'additionalProperties':false}",
                        "{'a':1,'b':0,'d':0}"))
                .extracting(Violation::pointer)
                .containsExactlyInAnyOrder("/a", "/b", "", "/d");
        assertThat(violations("{'items':false}", "[" + "1,".repeat(30) + "1]")).hasSize(16);
    }

    @Test
    void neverShowsAValueOfTheInstance() {
        String secret = "s3cr3t-value";
        for (Keyword keyword : Keyword.values()) {
            for (String value :
                    List.of("1", "'x'", "['x']", "{'x':false}", "[false]", "false", "[{'const':1}]", "{'x':['y']}")) {
                JsonNode schema = Json.of("{'" + keyword.text() + "':" + value + "}");
                if (new SchemaLint(Limits.standard(), Json.AS_IS).output(schema) == null) {
                    for (String instance : List.of(
                            "'" + secret + "'", "['" + secret + "','" + secret + "']", "{'x':'" + secret + "'}")) {
                        assertThat(new LazySchema(schema, Json.AS_IS)
                                        .validate(Json.of(instance))
                                        .toString())
                                .doesNotContain(secret);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer'} | 1.0",
                "{'type':'integer'} | 1e3",
                "{'type':'integer'} | -0.0",
                "{'type':'integer'} | 12345678901234567890123",
                "{'type':'number'} | 1",
                "{'const':1} | 1.0",
                "{'const':{'a':[1]}} | {'a':[1.00]}",
                "{'enum':[[1,2]]} | [1.0,2]",
                "{'const':{'a':1,'b':2}} | {'b':2,'a':1}",
                "{'maximum':9007199254740993} | 9007199254740993",
                "{'multipleOf':0.01} | 0.07",
                "{'multipleOf':1e-8} | 12391239123",
                "{'maxLength':1} | '😀'",
                "{'format':'uuid'} | 'no uuid'",
                "{'format':'made-up'} | 1",
                "{'contentEncoding':'base64'} | '***'",
                "{'items':{'type':'string'}} | {'0':1}",
                "{'required':['a']} | []",
                "{'default':5} | null",
                "{'minContains':0,'contains':false} | []",
                "{'minContains':2} | []",
                "{'then':false,'else':false} | 1",
                "{'dependencies':{'a':['b']}} | {'a':1}",
                "{'additionalItems':false,'prefixItems':[true]} | [1,2]",
                "{'unevaluatedItems':false,'contains':{'const':1}} | [1,1]",
                "{'anyOf':[{'properties':{'a':true}},{'properties':{'b':true}}],'unevaluatedProperties':false} | {'a':1,'b':2}",
                "{'$ref':'#/$defs/a','$defs':{'a':{'properties':{'x':{}}}},'unevaluatedProperties':false} | {'x':1}",
                "{'$ref':'#/$defs/a~1%25','$defs':{'a/%':{'type':'null'}}} | null"
            })
    void accepts(String schema, String instance) {
        assertValid(schema, instance);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer'} | 1.5",
                "{'type':'integer'} | '1'",
                "{'type':'number'} | '1'",
                "{'type':'boolean'} | 0",
                "{'type':'array'} | 'x'",
                "{'type':'null'} | ''",
                "{'const':false} | 0",
                "{'const':null} | 0",
                "{'enum':['1']} | 1",
                "{'maximum':9007199254740993} | 9007199254740994",
                "{'maximum':0.1} | 0.10000000000000000000000000001",
                "{'uniqueItems':true} | [{'a':1},{'a':1.0}]",
                "{'uniqueItems':true} | [9007199254740993,9007199254740993.0]",
                "{'items':false} | [1]",
                "{'prefixItems':[true],'items':false} | [1,2]",
                "{'maxContains':1,'contains':{'const':1}} | [1,1]",
                "{'patternProperties':{'b':{'type':'null'}}} | {'abc':1}",
                "{'patternProperties':{'^a':true},'additionalProperties':false} | {'ba':1}",
                "{'allOf':[{'properties':{'a':true}}],'additionalProperties':false} | {'a':1}",
                "{'$ref':'#/$defs/a','type':'string','$defs':{'a':{}}} | 1",
                "{'allOf':[{'unevaluatedProperties':false}],'properties':{'a':true}} | {'a':1}",
                "{'not':{'properties':{'a':true}},'unevaluatedProperties':false} | {'a':1}",
                "{'dependentSchemas':{'a':{'required':['b']}}} | {'a':1}",
                "{'if':{'const':1},'then':false} | 1.0",
                "{'if':{'const':1},'else':false} | 2"
            })
    void rejects(String schema, String instance) {
        assertInvalid(schema, instance);
    }

    @Test
    void readsDraft07AsDraft07() {
        assertValid("{" + DRAFT_07 + ",'$ref':'#/definitions/a','type':'string','definitions':{'a':{}}}", "1");
        assertInvalid("{" + DRAFT_07 + ",'dependencies':{'a':['b']}}", "{'a':1}");
        assertInvalid("{" + DRAFT_07 + ",'dependencies':{'a':{'required':['b']}}}", "{'a':1}");
        assertInvalid("{" + DRAFT_07 + ",'items':[{'type':'string'}]}", "[1]");
        assertValid("{" + DRAFT_07 + ",'items':[{'type':'string'}]}", "['a',1]");
        assertInvalid("{" + DRAFT_07 + ",'items':[true],'additionalItems':false}", "[1,2]");
        assertValid("{" + DRAFT_07 + ",'items':{},'additionalItems':false}", "[1,2]");
        assertValid("{" + DRAFT_07 + ",'format':'date'}", "'no date'");
        assertValid(
                "{" + DRAFT_07 + ",'dependentRequired':{'a':['b']},'minContains':3,'unevaluatedProperties':false}",
                "{'a':1}");
        assertInvalid("{" + DRAFT_07 + ",'contains':{'const':1},'minContains':0}", "[]");
        assertInvalid("{" + DRAFT_07 + ",'properties':{'x':{'$ref':'#/$defs/a'}},'$defs':{'a':false}}", "{'x':1}");
    }

    @Test
    void changesNothingInWhatItChecks() {
        JsonNode instance = Json.of("{'a':'1','extra':{'b':2.50}}");
        JsonNode before = instance.deepCopy();
        JsonNode schema = Json.of("{'type':'object','properties':{'a':{'type':'integer'},'c':{'default':7}}}");
        assertThat(new LazySchema(schema, Json.AS_IS).validate(instance)).hasSize(1);
        assertThat(instance).isEqualTo(before);
    }

    @Test
    void answersManyThreadsAtOnce() throws Exception {
        var schema = new LazySchema(
                Json.of("{'type':'object','patternProperties':{'^[a-z]+$':{'type':'integer'}}}"), Json.AS_IS);
        var tasks = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 200; i++) {
            String instance = i % 2 == 0 ? "{'a':1,'b':2}" : "{'a':'x','b':'y'}";
            tasks.add(() -> schema.validate(Json.of(instance)).size());
        }
        try (var pool = Executors.newFixedThreadPool(8)) {
            int sum = 0;
            for (var answer : pool.invokeAll(tasks)) {
                sum += answer.get();
            }
            assertThat(sum).isEqualTo(200);
        }
    }
}
