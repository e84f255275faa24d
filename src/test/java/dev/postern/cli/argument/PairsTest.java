package dev.postern.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.wire.StrictJson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CLI-3")
class PairsTest {
    @ParameterizedTest(name = "{0} of {1} is {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "17      | {'type':'string'}                    | '17'",
                "true    | {'type':'string'}                    | 'true'",
                "~~      | {'type':'string'}                    | ''",
                "~ a=b ~ | {'type':'string'}                    | ' a=b '",
                "[1]     | {'type':'string'}                    | '[1]'",
                "null    | {'type':'string'}                    | 'null'",
                "17      | {'type':'integer'}                   | 17",
                "-0      | {'type':'integer'}                   | 0",
                "1.0     | {'type':'integer'}                   | 1.0",
                "1e3     | {'type':'number'}                    | 1E3",
                "17      | {'type':'number'}                    | 17",
                "1.50    | {'type':'number'}                    | 1.50",
                "123456789012345678901234567890 | {'type':'integer'} | 123456789012345678901234567890",
                "true    | {'type':'boolean'}                   | true",
                "null    | {'type':'null'}                      | null",
                "[1,'a'] | {'type':'array'}                     | [1,'a']",
                "{'a':1} | {'type':'object'}                    | {'a':1}",
                "5       | {'type':['integer','null']}          | 5",
                "null    | {'type':['integer','null']}          | null",
                "false   | {'type':['number','boolean']}        | false",
                "abc     | {'type':['string','null']}           | 'abc'",
                "abc     | {'type':['string','integer']}        | 'abc'",
                "5 apples| {'type':['string','integer']}        | '5 apples'",
                "[1]     | {'type':['array','object']}          | [1]",
                "b       | {'enum':['a','b']}                   | 'b'",
                "2       | {'enum':[1,2,'two']}                 | 2",
                "5       | {'enum':['5',true]}                  | '5'",
                "other   | {'type':'string','enum':['a']}       | 'other'",
                "x       | {'const':'x'}                        | 'x'",
                "7       | {'$ref':'#/$defs/count'}             | 7",
                "7       | {'anyOf':[{'type':'integer'},{'type':'null'}]}  | 7",
                "a       | {'anyOf':[{'$ref':'#/$defs/name'},{'type':'null'}]} | 'a'",
                "7       | {'oneOf':[{'type':'integer'},{'type':'boolean'}]} | 7",
                "7       | {'allOf':[{'type':['integer','string']},{'type':'integer'}]} | 7",
                "7       | {'allOf':[{'$ref':'#/$defs/count'}],'description':'d'} | 7",
            })
    void typesAValueByTheSchema(String text, String schema, String json) {
        assertThat(typed(text, schema)).isEqualTo(json.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "null  | {'type':['string','null']}",
                "5     | {'type':['string','integer']}",
                "true  | {'type':['string','boolean']}",
                "['a'] | {'type':['string','array']}",
                "['a   | {'type':['string','array']}",
                "{     | {'type':['object','string']}",
                "1     | {'enum':['1',1]}",
                "5     | {'anyOf':[{'type':'string'},{'type':'number'}]}",
            })
    void refusesTextThatCouldBeTwoThings(String text, String schema) {
        var problem = refused(text, schema);

        assertThat(problem.code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
        assertThat(problem.message()).contains("could be");
        assertThat(problem.next()).contains("JSON", "\"v\"");
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "abc   | {'type':'integer'}          | is not",
                "1.5   | {'type':'integer'}          | is a number",
                "0x10  | {'type':'integer'}          | is not",
                "+5    | {'type':'number'}           | is not",
                "05    | {'type':'number'}           | is not",
                "1e999 | {'type':'number'}           | is not",
                "~~    | {'type':'number'}           | is not",
                "yes   | {'type':'boolean'}          | is not",
                "1     | {'type':'boolean'}          | is an integer",
                "[1    | {'type':'array'}            | line 1, column",
                "{'a':1,'a':2} | {'type':'object'}   | duplicate key",
                "1     | {'type':'array'}            | is an integer",
            })
    void refusesTextThatIsNotOfTheType(String text, String schema, String message) {
        var problem = refused(text, schema);

        assertThat(problem.code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
        assertThat(problem.message()).contains("v is ", message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {"{}", "true", "{'description':'anything'}", "{'$ref':'#/$defs/v'}", "{'not':{'type':'string'}}"})
    void refusesAnArgumentForWhichTheSchemaNamesNoType(String schema) {
        var problem = refused("5", schema);

        assertThat(problem.message()).contains("names no type for v");
        assertThat(problem.next()).contains("give all arguments as JSON");
    }

    @Test
    void refusesAnUnknownNameWithTheNearestKnownOne() {
        var problem = problem(
                "pth",
                "x",
                "{'type':'object','properties':{'path':{'type':'string'}}," + "'additionalProperties':false}");

        assertThat(problem.message()).contains("no argument pth");
        assertThat(problem.next()).contains("Did you mean path?", "Its arguments: path.");
    }

    @Test
    void neverTakesAnUnknownNameForAString() {
        var problem = problem("extra", "x", "{'type':'object','properties':{'path':{'type':'string'}}}");

        assertThat(problem.message()).contains("does not mention an argument extra");
    }

    @Test
    void typesAnUnknownNameByAdditionalProperties() {
        assertThat(arguments("size", "7", "{'type':'object','additionalProperties':{'type':'integer'}}"))
                .isEqualTo("{\"size\":7}");
    }

    @Test
    void doesNotTrustAdditionalPropertiesBesidePatterns() {
        var problem = problem(
                "size",
                "7",
                "{'type':'object','patternProperties':{'^s':{'type':'string'}},"
                        + "'additionalProperties':{'type':'integer'}}");

        assertThat(problem.message()).contains("does not mention");
    }

    @Test
    void findsPropertiesInTheBranchesOfTheRoot() {
        var schema = "{'type':'object','oneOf':[{'properties':{'id':{'type':'integer'}}},"
                + "{'properties':{'name':{'type':'string'}}}]}";

        assertThat(arguments("id", "7", schema)).isEqualTo("{\"id\":7}");
        assertThat(arguments("name", "7", schema)).isEqualTo("{\"name\":\"7\"}");
    }

    @Test
    void findsPropertiesBehindAReferenceOfTheRoot() {
        var schema =
                "{'type':'object','$ref':'#/$defs/all','$defs':{'all':{'properties':{'a~/ b':{'type':'integer'}}}}}";

        assertThat(arguments("a~/ b", "7", schema)).isEqualTo("{\"a~/ b\":7}");
    }

    @Test
    void settlesOnASchemaThatRefersToItself() {
        assertThat(refused("5", "{'$ref':'#/properties/v'}").code()).isEqualTo(ErrorCode.USAGE_ARGUMENTS);
    }

    @Test
    void keepsTheOrderOfThePairs() {
        var pairs = new Pairs();
        pairs.add("z", "1");
        pairs.add("a", "2");
        var schema = json("{'type':'object','properties':{'a':{'type':'string'},'z':{'type':'integer'}}}");

        assertThat(pairs.arguments(schema)).isEqualTo(new Answer.Here<>(json("{'z':1,'a':'2'}")));
    }

    private static String typed(String text, String schema) {
        return arguments("v", text.replace('\'', '"'), whole(schema)).replaceFirst("^\\{\"v\":(.*)}$", "$1");
    }

    private static Problem refused(String text, String schema) {
        return problem("v", text.replace('\'', '"'), whole(schema));
    }

    private static String whole(String schema) {
        return "{'type':'object','properties':{'v':" + schema
                + "},'$defs':{'count':{'type':'integer'},'name':{'type':'string'},'v':{}}}";
    }

    private static String arguments(String name, String text, String schema) {
        var answer = pair(name, text).arguments(json(schema));
        assertThat(answer).isInstanceOf(Answer.Here.class);
        return StrictJson.text(((Answer.Here<ObjectNode>) answer).value());
    }

    private static Problem problem(String name, String text, String schema) {
        var answer = pair(name, text).arguments(json(schema));
        assertThat(answer).isInstanceOf(Answer.Not.class);
        return ((Answer.Not<ObjectNode>) answer).problem();
    }

    private static Pairs pair(String name, String text) {
        var pairs = new Pairs();
        pairs.add(name, text);
        return pairs;
    }

    private static JsonNode json(String text) {
        return ((StrictJson.Valid) StrictJson.parse(text.replace('\'', '"'))).value();
    }
}
