package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.wire.JsonSize;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CAT-3")
class SchemaLintTest {
    private static final String DRAFT_07 = "'$schema':'http://json-schema.org/draft-07/schema#'";

    private static @Nullable Fault lint(String schema) {
        return lint(Json.of(schema), Limits.standard());
    }

    private static @Nullable Fault lint(JsonNode schema, Limits limits) {
        return new SchemaLint(limits, Json.AS_IS).input(schema);
    }

    private static String code(String schema) {
        return code(lint(schema));
    }

    private static String code(@Nullable Fault fault) {
        return fault == null ? "fit" : fault.code().code();
    }

    /// `member` as a further member of a root of type object.
    private static String rooted(String member) {
        return "{'type':'object'," + member + "}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'type':'array'}",
                "{'type':['object']}",
                "{'type':['object','null']}",
                "{'properties':{}}",
                "true",
                "[]",
                "null",
                "{'$ref':'#/$defs/a','$defs':{'a':{'type':'object'}}}"
            })
    void wantsTypeObjectAtTheRootOfAnInputSchema(String schema) {
        assertThat(code(schema)).isEqualTo("schema.root");
    }

    @Test
    void namesTheRootTypeItSaw() {
        assertThat(lint("{'type':'array'}"))
                .extracting(Fault::reason)
                .isEqualTo("must have \"type\": \"object\" at its root; its type is \"array\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'type':'array'}", "{'anyOf':[{'type':'object'},{'type':'null'}]}"})
    void letsAnOutputSchemaHaveAnyRoot(String schema) {
        assertThat(new SchemaLint(Limits.standard(), Json.AS_IS).output(Json.of(schema)))
                .isNull();
        assertThat(code(new SchemaLint(Limits.standard(), Json.AS_IS).output(Json.of("true"))))
                .isEqualTo("schema.root");
    }

    @Test
    @Tag("LIM-2")
    void countsBytesOfTheCompactUtf8Form() {
        // 31 bytes around the text, and é is two.
        JsonNode fits = Json.of("{ 'type' : 'object', 'title' : '" + "é".repeat(8_176) + "' }");
        assertThat(JsonSize.of(fits)).isEqualTo(28 + 2 * 8_176);
        JsonNode exact = Json.of("{'type':'object','title':'" + "x".repeat(16_384 - 28) + "'}");
        assertThat(JsonSize.of(exact)).isEqualTo(16_384);
        assertThat(lint(exact, Limits.standard())).isNull();
        JsonNode over = Json.of("{'type':'object','title':'" + "x".repeat(16_384 - 27) + "'}");
        assertThat(lint(over, Limits.standard()))
                .isEqualTo(new Fault(
                        ExclusionCode.SCHEMA_BYTES, "has 16385 bytes, over the limit of 16384 (limits.schemaBytes)"));
        assertThat(lint(over, Limits.standard().with(Limit.SCHEMA_BYTES, 16_385)))
                .isNull();
    }

    @Test
    @Tag("LIM-2")
    void countsJsonValuesAsNodes() {
        // The root, its type and the list are three.
        String list = "1,".repeat(508) + "1";
        assertThat(code(rooted("'enum':[" + list + "]"))).isEqualTo("fit");
        assertThat(lint(rooted("'enum':[1," + list + "]")))
                .isEqualTo(new Fault(
                        ExclusionCode.SCHEMA_NODES,
                        "has 513 nodes (JSON values), over the limit of 512 (limits.schemaNodes)"));
    }

    @Test
    @Tag("LIM-2")
    void countsLevelsOfSubSchemasFromTheRoot() {
        assertThat(code(nested(16))).isEqualTo("fit");
        assertThat(lint(nested(17)))
                .isEqualTo(new Fault(
                        ExclusionCode.SCHEMA_DEPTH,
                        "has 17 levels of sub-schemas, over the limit of 16 (limits.schemaDepth)"));
        assertThat(lint(Json.of(nested(17)), Limits.standard().with(Limit.SCHEMA_DEPTH, 17)))
                .isNull();
    }

    private static String nested(int levels) {
        String schema = "{'type':'string'}";
        for (int i = 2; i < levels; i++) {
            schema = i % 2 == 0 ? "{'properties':{'a':" + schema + "}}" : "{'items':" + schema + "}";
        }
        return rooted("'properties':{'a':" + schema + "}");
    }

    @Test
    void takesDataForDataHoweverDeep() {
        assertThat(code(rooted("'default':" + "{'type':".repeat(30) + "1" + "}".repeat(30))))
                .isEqualTo("fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://json-schema.org/draft-07/schema",
                "http://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft-07/schema",
                "https://json-schema.org/draft-07/schema#",
                "http://json-schema.org/draft/2020-12/schema",
                "http://json-schema.org/draft/2020-12/schema#",
                "https://json-schema.org/draft/2020-12/schema",
                "https://json-schema.org/draft/2020-12/schema#"
            })
    void knowsTwoDialects(String uri) {
        assertThat(code(rooted("'$schema':'" + uri + "'"))).isEqualTo("fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'http://json-schema.org/draft-04/schema#'",
                "'http://json-schema.org/draft-06/schema#'",
                "'https://json-schema.org/draft/2019-09/schema'",
                "'http://json-schema.org/schema#'",
                "'HTTPS://json-schema.org/draft/2020-12/schema'",
                "'https://json-schema.org/draft/2020-12/schema#x'",
                "'https://json-schema.org/draft/2020-12/schema/'",
                "'classpath:/draft-07/schema'",
                "''",
                "null",
                "7"
            })
    void knowsNoOtherDialect(String value) {
        assertThat(code(rooted("'$schema':" + value))).isEqualTo("schema.dialect");
    }

    @Test
    void keepsOneDialectThroughout() {
        String nested = "'properties':{'a':{'$schema':'https://json-schema.org/draft/2020-12/schema'}}";
        assertThat(code(rooted(nested))).isEqualTo("fit");
        assertThat(code(rooted(DRAFT_07 + "," + nested))).isEqualTo("schema.dialect");
    }

    @Test
    void knowsEveryKeywordOfBothDialects() {
        String all = "'$comment':'','$vocabulary':{},'$defs':{},'definitions':{},'enum':[{}],'const':{},'multipleOf':1,"
                + "'maximum':1,'exclusiveMaximum':2,'minimum':1,'exclusiveMinimum':0,'maxLength':1,'minLength':1,"
                + "'pattern':'a','items':true,'additionalItems':true,'prefixItems':[true],'maxItems':1,'minItems':1,"
                + "'uniqueItems':true,'contains':{},'minContains':1,'maxContains':2,'maxProperties':1,"
                + "'minProperties':0,'required':[],'properties':{},'patternProperties':{},"
                + "'additionalProperties':false,'propertyNames':{},'dependencies':{'a':['b'],'c':{}},"
                + "'dependentRequired':{'a':['b']},'dependentSchemas':{'a':{}},'if':{},'then':{},'else':{},"
                + "'allOf':[{}],'anyOf':[{}],'oneOf':[{}],'not':{},'unevaluatedItems':true,"
                + "'unevaluatedProperties':{},'title':'','description':'','default':1,'deprecated':true,"
                + "'readOnly':true,'writeOnly':false,'examples':[],'format':'x-made-up','contentEncoding':'base64',"
                + "'contentMediaType':'text/plain','contentSchema':{},'x-mcp-header':'A'";
        assertThat(lint(rooted(all))).isNull();
        assertThat(lint(rooted(DRAFT_07 + "," + all))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'nullable':true | nullable | the root",
                "'id':'x' | id | the root",
                "'x-order':1 | x-order | the root",
                "'Type':'object' | Type | the root",
                "'properties':{'a':{'example':1}} | example | /properties/a",
                "'properties':{'a':{'items':{'discriminator':{}}}} | discriminator | /properties/a/items",
                "'$defs':{'a':{'foo':1}} | foo | /$defs/a",
                "'allOf':[{},{'not':{'foo':1}}] | foo | /allOf/1/not",
                "'dependencies':{'a':{'foo':1}} | foo | /dependencies/a",
                "'contentSchema':{'foo':1} | foo | /contentSchema",
                "'properties':{'a/b~':{'foo':1}} | foo | /properties/a~1b~0"
            })
    void excludesUnknownKeywordsWhereTheyStand(String member, String keyword, String place) {
        assertThat(lint(rooted(member)))
                .isEqualTo(new Fault(
                        ExclusionCode.SCHEMA_KEYWORD, "has the unknown keyword \"" + keyword + "\" at " + place));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'properties':{'nullable':{},'$ref':{},'$id':{'type':'string'},'foo':{},'type':{},'$anchor':true}",
                "'$defs':{'foo':{},'required':{}}",
                "'patternProperties':{'foo':{}}",
                "'dependentSchemas':{'foo':{}}",
                "'default':{'foo':1,'$ref':'http://x/','$id':5}",
                "'const':{'foo':{'$ref':7}}",
                "'enum':[{'foo':1,'pattern':'('}]",
                "'examples':[{'foo':1}]"
            })
    void takesNamesAndDataForNoKeywords(String member) {
        assertThat(lint(rooted(member))).isNull();
    }

    @Test
    void hidesNothingOfAHostileKeyword() {
        assertThat(lint(rooted("'ev\\u202eil\\u001b[2J':1")))
                .extracting(Fault::reason)
                .isEqualTo("has the unknown keyword \"ev\\u{202E}il\\u{1B}[2J\" at the root");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'required':'x'",
                "'required':[1]",
                "'required':null",
                "'properties':{'a':{'type':5}}",
                "'properties':{'a':{'type':'text'}}",
                "'properties':{'a':{'type':[]}}",
                "'properties':{'a':{'type':['string',1]}}",
                "'properties':[]",
                "'properties':{'a':'string'}",
                "'properties':{'a':null}",
                "'enum':{}",
                "'enum':'a'",
                "'maximum':'5'",
                "'exclusiveMaximum':true",
                "'multipleOf':0",
                "'multipleOf':-1",
                "'maxLength':-1",
                "'maxLength':1.5",
                "'minItems':'1'",
                "'uniqueItems':'true'",
                "'pattern':1",
                "'patternProperties':[]",
                "'items':5",
                "'items':[{}]",
                "'allOf':{}",
                "'anyOf':[]",
                "'oneOf':[1]",
                "'not':[]",
                "'dependencies':{'a':[1]}",
                "'dependentRequired':{'a':'b'}",
                "'dependentRequired':[]",
                "'$ref':1",
                "'$id':1",
                "'additionalProperties':'false'",
                "'maximum':1e401",
                "'default':1e-500",
                "'minimum':12345678901234567890123456789012345678901234567890123456789012345"
            })
    void excludesKeywordsWhoseValueMeansNothing(String member) {
        assertThat(code(rooted(member))).isEqualTo("schema.malformed");
    }

    @Test
    void letsDraft07ListItems() {
        assertThat(code(rooted(DRAFT_07 + ",'items':[{},true]"))).isEqualTo("fit");
        assertThat(code(rooted(DRAFT_07 + ",'items':[{'foo':1}]"))).isEqualTo("schema.keyword");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'maxLength':2.0", "'maximum':1e400", "'minimum':-1e-400", "'required':['a','a']", "'enum':[]"})
    void toleratesWhatIsOddButClear(String member) {
        assertThat(code(rooted(member))).isEqualTo("fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/s.json",
                "https://json-schema.org/draft/2020-12/schema",
                "file:///etc/passwd",
                "classpath:/draft-07/schema",
                "other.json#/a",
                "/a",
                "urn:x",
                "?"
            })
    @Tag("F8")
    void excludesReferencesThatLeaveTheSchema(String uri) {
        assertThat(code(rooted("'properties':{'a':{'$ref':'" + uri + "'}}"))).isEqualTo("schema.ref-remote");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#/$defs/nope",
                "#/$defs",
                "#/$defs/a/type",
                "#/default",
                "#/default/x",
                "#/enum/0",
                "#/properties",
                "#name",
                "#/$defs/a/",
                "#//$defs/a",
                "#/allOf/00",
                "#/allOf/-",
                "#/allOf/1",
                "#/$defs/%zz",
                "#/$defs/%",
                "#/$defs/%ff",
                "#/$defs/a~2",
                "#/$defs/a~",
                "#/%24defs/b"
            })
    void excludesReferencesToNothingAndToWhatIsNoSchema(String uri) {
        assertThat(code(rooted("'$defs':{'a':{'type':'string'}},'allOf':[{}],'default':{'x':{}},'enum':[{}],"
                        + "'properties':{'p':{'$ref':'" + uri + "'}}")))
                .isEqualTo("schema.ref-dangling");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#/$defs/a",
                "#/%24defs/%61",
                "#/$defs/x~1y~0z",
                "#/$defs/%C3%A9",
                "#/$defs/é",
                "#/$defs/",
                "#/$defs/a%25",
                "#/$defs/~01",
                "#/definitions/0",
                "#/allOf/0",
                "#/properties/q/items",
                "#/patternProperties/%5Ea"
            })
    void followsEveryPointerToASchema(String uri) {
        assertThat(lint(rooted("'$defs':{'a':{},'x/y~z':{},'é':{},'':{},'a%':{},'~1':{}},'definitions':{'0':{}},"
                        + "'allOf':[{}],'patternProperties':{'^a':true},"
                        + "'properties':{'q':{'items':{}},'p':{'$ref':'" + uri + "'}}")))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'properties':{'a':{'$ref':'#'}}",
                "'properties':{'a':{'$ref':''}}",
                "'$ref':'#'",
                "'allOf':[{'$ref':'#'}]",
                "'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}",
                "'$defs':{'a':{'$ref':'#/$defs/a'}}",
                "'$defs':{'a':{'items':{'$ref':'#/$defs/a'}}},'properties':{'x':{'$ref':'#/$defs/a'}}",
                "'properties':{'a':{'properties':{'b':{'$ref':'#/properties/a'}}}}",
                "'if':{'$ref':'#'}",
                "'not':{'not':{'$ref':'#/not'}}"
            })
    @Tag("F8")
    void excludesReferencesThatLeadBack(String member) {
        assertThat(code(rooted(member))).isEqualTo("schema.ref-cyclic");
        assertThat(code(rooted(DRAFT_07 + "," + member))).isEqualTo("schema.ref-cyclic");
    }

    @Test
    void takesUnusedDefinitionsForNoCycle() {
        assertThat(code(rooted("'$defs':{'a':{'properties':{'b':{'$ref':'#'}}}}")))
                .isEqualTo("fit");
    }

    @Test
    void ignoresWhatStandsBesideAReferenceInDraft07() {
        String siblings = "'$ref':'#/definitions/a','properties':{'x':{'$ref':'#'}},'definitions':{'a':{}}";
        assertThat(code(rooted(DRAFT_07 + "," + siblings))).isEqualTo("fit");
        assertThat(code(rooted(siblings))).isEqualTo("schema.ref-cyclic");
    }

    @Test
    @Tag("F8")
    void countsWhatReferencesUnfoldTo() {
        // Each level brings in two references' worth of the next.
        assertThat(code(doubling(8))).isEqualTo("fit");
        assertThat(lint(doubling(25)))
                .extracting(Fault::code, Fault::reason)
                .containsExactly(
                        ExclusionCode.SCHEMA_UNFOLDING,
                        "has references that unfold to 268435450 nodes, over the fixed limit of 4096");
        assertThat(code(lint(Json.of(doubling(31)), Limits.standard().with(Limit.SCHEMA_DEPTH, 32))))
                .isEqualTo("schema.unfolding");
    }

    private static String doubling(int levels) {
        var defs = new StringBuilder();
        for (int i = 0; i < levels; i++) {
            String next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
            defs.append("'d")
                    .append(i)
                    .append("':{'anyOf':[")
                    .append(next)
                    .append(',')
                    .append(next)
                    .append("]},");
        }
        return rooted(
                "'$defs':{" + defs + "'d" + levels + "':{'type':'string'}},'properties':{'a':{'$ref':'#/$defs/d0'}}");
    }

    @Test
    void unfoldsExactlyUpToTheLimit() {
        // A target of 64 values, brought in 64 times, is 4,096.
        String target = "'$defs':{'t':{'enum':[" + "1,".repeat(61) + "1]}}";
        String reference = "{'$ref':'#/$defs/t'}";
        String fits = rooted(target + ",'anyOf':[" + (reference + ",").repeat(63) + reference + "]");
        String over = rooted(target + ",'anyOf':[" + (reference + ",").repeat(64) + reference + "]");
        assertThat(code(fits)).isEqualTo("fit");
        assertThat(code(over)).isEqualTo("schema.unfolding");
    }

    @Test
    void bringsInNothingWithoutReferences() {
        Limits wide = Limits.standard().with(Limit.SCHEMA_NODES, 8_192).with(Limit.SCHEMA_BYTES, 262_144);
        assertThat(lint(Json.of(rooted("'enum':[" + "1,".repeat(8_000) + "1]")), wide))
                .isNull();
    }

    @Test
    @Tag("F8")
    void boundsChainsOfReferencesWithoutOverflowing() {
        Limits wide = Limits.standard().with(Limit.SCHEMA_NODES, 8_192).with(Limit.SCHEMA_BYTES, 262_144);
        assertThat(code(lint(chain(250), wide))).isEqualTo("fit");
        assertThat(code(lint(chain(300), wide))).isEqualTo("schema.unfolding");
        assertThat(code(lint(chain(4_000), wide))).isEqualTo("schema.unfolding");
    }

    private static JsonNode chain(int length) {
        var defs = new StringBuilder();
        for (int i = 0; i < length; i++) {
            defs.append("'d")
                    .append(i)
                    .append("':{'$ref':'#/$defs/d")
                    .append(i + 1)
                    .append("'},");
        }
        return Json.of(rooted("'$defs':{" + defs + "'d" + length + "':true},'properties':{'a':{'$ref':'#/$defs/d0'}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'properties':{'a':{'$id':'https://example.com/a'}}",
                "'properties':{'a':{'$anchor':'a'}}",
                "'$defs':{'a':{'$dynamicAnchor':'a'}}",
                "'$dynamicRef':'#a'",
                "'properties':{'a':{'$dynamicRef':'#/$defs/b'}}",
                "'$recursiveRef':'#'",
                "'$recursiveAnchor':true",
                "'allOf':[{'$id':'#x'}]"
            })
    void excludesSecondMeaningsOfAPlace(String member) {
        assertThat(code(rooted(member))).isEqualTo("schema.identifier");
    }

    @Test
    void letsTheRootHaveAName() {
        assertThat(code(rooted("'$id':'https://example.com/s','$anchor':'a','$dynamicAnchor':'b',"
                        + "'$defs':{'a':{}},'properties':{'x':{'$ref':'#/$defs/a'}}")))
                .isEqualTo("fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?=a)",
                "(?!a)b",
                "(?<=a)b",
                "(a)\\\\1",
                "(",
                "a{1001}",
                "[b-a]",
                "*a",
                "((a{1000}){1000}){1000}",
                "(((a{30}){30}){30}){30}",
                "(?i)[\\\\x{50}-\\\\x{3200}]",
                "(?s-m:(?i:[P-㈀]))"
            })
    @Tag("F8")
    void excludesPatternsThatRe2CantCompileOrNotAffordably(String pattern) {
        assertThat(code(rooted("'properties':{'a':{'pattern':'" + pattern + "'}}")))
                .isEqualTo("schema.pattern");
        assertThat(code(rooted("'patternProperties':{'" + pattern + "':{}}"))).isEqualTo("schema.pattern");
    }

    @Test
    void sharesABudgetAmongThePatternsOfASchema() {
        var many = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            many.append(i == 0 ? "" : ",").append("'^.{").append(i).append(",1000}$':{}");
        }
        assertThat(code(rooted("'patternProperties':{" + many + "}"))).isEqualTo("schema.pattern");
    }

    @Test
    void reportsTheFirstFaultInTheServersOrder() {
        assertThat(lint(rooted("'properties':{'a':{'foo':1},'b':{'bar':1}},'baz':1")))
                .extracting(Fault::reason)
                .isEqualTo("has the unknown keyword \"foo\" at /properties/a");
    }

    @Test
    void neverThrowsOnBrokenSchemas() {
        List<String> pieces = List.of("null", "1", "'x'", "[]", "{}", "[[]]", "{'a':1}", "true", "-1", "['a']");
        for (Keyword keyword : Keyword.values()) {
            for (String piece : pieces) {
                String member = "'" + keyword.text() + "':" + piece;
                Fault fault = lint("{" + (keyword == Keyword.TYPE ? "" : "'type':'object',") + member + "}");
                if (fault == null) {
                    JsonNode schema = Json.of("{" + (keyword == Keyword.TYPE ? "" : "'type':'object',") + member + "}");
                    assertThat(new LazySchema(schema, Json.AS_IS).validate(Json.of("{}")))
                            .noneMatch(violation -> violation.message().contains("could not be checked"));
                }
            }
        }
    }
}
