package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogBuilderTest {
    private static final String SCHEMA = "'inputSchema':{'type':'object'}";

    private static ObjectNode tool(String name, String... members) {
        return Json.object("{'name':'" + name + "'" + (members.length == 0 ? "," + SCHEMA : "")
                + (members.length == 0 ? "" : "," + String.join(",", members)) + "}");
    }

    private static Catalog build(boolean remote, Limits limits, ObjectNode... tools) {
        var names = new ArrayList<String>();
        for (ObjectNode tool : tools) {
            names.add(tool.get("name").asText());
        }
        return new CatalogBuilder("files", limits, remote, text -> text).build(List.of(tools), names);
    }

    private static String code(ObjectNode tool) {
        Catalog catalog = build(false, Limits.standard(), tool);
        return catalog.excluded().isEmpty()
                ? "fit"
                : catalog.excluded().getFirst().code();
    }

    @Test
    @Tag("CAT-2")
    void offersOnlyAllowedNamesInTheServersOrder() {
        Catalog catalog = new CatalogBuilder("files", Limits.standard(), false, text -> text)
                .build(List.of(tool("c"), tool("a"), tool("b")), List.of("a", "c", "Gone", "b2"));
        assertThat(catalog.tools()).extracting(Tool::name).containsExactly("c", "a");
        assertThat(catalog.listed()).extracting(Catalog.Listed::name).containsExactly("c", "a", "b");
        assertThat(catalog.missing()).containsExactly("Gone", "b2");
        assertThat(catalog.tool("b")).isNull();
        assertThat(catalog.tool("A")).isNull();
        assertThat(catalog.tool("a")).isNotNull();
    }

    @Test
    @Tag("CAT-2")
    void tellsOfAllowedNamesThatTheServerDoesNotList() {
        Catalog catalog = new CatalogBuilder("files", Limits.standard(), false, text -> text)
                .build(List.of(tool("a")), List.of("b"));
        Problem expected = new Problem(
                ErrorCode.TOOL_MISSING,
                "The server files does not list the tool b.",
                "Check its spelling, upper and lower case included: `postern mcp discover files` prints every tool the"
                        + " server lists.");
        assertThat(catalog.diagnostics()).containsExactly(expected);
        assertThat(catalog.refusal("b")).isEqualTo(expected);
        assertThat(catalog.tools()).isEmpty();
    }

    @Test
    @Tag("CAT-3")
    void excludesAnUnfitToolAloneWithItsReason() {
        Catalog catalog = build(
                false,
                Limits.standard(),
                tool("bad", "'inputSchema':{'type':'object','properties':{'a':{'foo':1}}}"),
                tool("good"));
        assertThat(catalog.tools()).extracting(Tool::name).containsExactly("good");
        assertThat(catalog.excluded())
                .containsExactly(new Excluded(
                        "bad", "schema.keyword", "Its input schema has the unknown keyword \"foo\" at /properties/a."));
        assertThat(catalog.refusal("bad"))
                .extracting(Problem::code, Problem::message)
                .containsExactly(
                        ErrorCode.TOOL_EXCLUDED,
                        "The tool bad of the server files is not offered. Its input schema has the unknown keyword"
                                + " \"foo\" at /properties/a.");
        assertThat(catalog.refusal("good")).isNull();
    }

    @Test
    @Tag("CAT-3")
    void looksNotIntoWhatIsNotAllowed() {
        Catalog catalog = new CatalogBuilder("files", Limits.standard(), false, text -> text)
                .build(List.of(Json.object("{'name':'\\u001b','inputSchema':7}")), List.of());
        assertThat(catalog.excluded()).isEmpty();
        assertThat(catalog.listed()).containsExactly(new Catalog.Listed("\u001b", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "é", "a:b", "a\\u0000", "a\\u202eb", "\\ud83d\\ude00"})
    @Tag("CAT-3")
    @Tag("T35")
    void excludesNamesOutsideTheirCharacters(String name) {
        assertThat(code(tool(name))).isEqualTo("tool.name");
    }

    @Test
    @Tag("CAT-3")
    void acceptsNamesUpTo128Characters() {
        assertThat(code(tool("aZ09_.-" + "x".repeat(121)))).isEqualTo("fit");
        assertThat(code(tool("x".repeat(129)))).isEqualTo("tool.name");
    }

    @Test
    @Tag("CAT-3")
    @Tag("LIM-2")
    void countsDescriptionsInCodePoints() {
        ObjectNode fits = tool("a").put("description", "😀".repeat(4_096));
        ObjectNode over = tool("a").put("description", "😀".repeat(4_097));
        assertThat(code(fits)).isEqualTo("fit");
        assertThat(build(false, Limits.standard(), over).excluded())
                .containsExactly(new Excluded(
                        "a",
                        "tool.description",
                        "Its description has 4097 characters, over the limit of 4096 (limits.descriptionChars)."));
        assertThat(build(false, Limits.standard().with(Limit.DESCRIPTION_CHARS, 4_097), over)
                        .excluded())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'description':5,'inputSchema':{'type':'object'} | tool.description",
                "'description':null,'inputSchema':{'type':'object'} | fit",
                "'description':'' | schema.root",
                "'inputSchema':null | schema.root",
                "'inputSchema':true | schema.root",
                "'inputSchema':{'type':'object'},'outputSchema':null | fit",
                "'inputSchema':{'type':'object'},'outputSchema':{} | fit",
                "'inputSchema':{'type':'object'},'outputSchema':{'type':'array','items':{'type':'string'}} | fit",
                "'inputSchema':{'type':'object'},'outputSchema':false | schema.root",
                "'inputSchema':{'type':'object'},'outputSchema':{'foo':1} | schema.keyword",
                "'inputSchema':{'type':'object'},'execution':{'taskSupport':'required'} | tool.task-required",
                "'inputSchema':{'type':'object'},'execution':{'taskSupport':'optional'} | fit",
                "'inputSchema':{'type':'object'},'execution':{'taskSupport':'forbidden'} | fit",
                "'inputSchema':{'type':'object'},'execution':null | fit",
                "'inputSchema':{'type':'object'},'execution':'required' | fit",
                "'inputSchema':{'type':'object'},'_meta':{'x':1e401} | tool.definition"
            })
    @Tag("CAT-3")
    void judgesEachPartOfADefinition(String members, String expected) {
        assertThat(code(tool("a", members))).isEqualTo(expected);
    }

    @Test
    @Tag("CAT-3")
    @Tag("CAL-6")
    void saysWhichSchemaIsUnfit() {
        Catalog catalog =
                build(false, Limits.standard(), tool("a", SCHEMA, "'outputSchema':{'properties':{'x':{'foo':1}}}"));
        assertThat(catalog.excluded().getFirst().reason())
                .isEqualTo("Its output schema has the unknown keyword \"foo\" at /properties/x.");
    }

    @Test
    @Tag("CAL-6")
    void offersAValidatorForADeclaredOutputSchemaOnly() {
        Catalog catalog = build(
                false,
                Limits.standard(),
                tool("with", SCHEMA, "'outputSchema':{'type':'object','required':['n']}"),
                tool("without"));
        Tool with = catalog.tools().get(0);
        ToolSchema output = Objects.requireNonNull(with.output());
        assertThat(output.validate(Json.of("{}")))
                .containsExactly(new ToolSchema.Violation("", "lacks the required property \"n\""));
        assertThat(output.validate(Json.of("{'n':1}"))).isEmpty();
        assertThat(catalog.tools().get(1).output()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'a':{'type':'string','x-mcp-header':''}",
                "'a':{'type':'string','x-mcp-header':5}",
                "'a':{'type':'string','x-mcp-header':'a b'}",
                "'a':{'type':'string','x-mcp-header':'a:b'}",
                "'a':{'type':'string','x-mcp-header':'é'}",
                "'a':{'type':'string','x-mcp-header':'a\\r\\nX: y'}",
                "'a':{'type':'number','x-mcp-header':'A'}",
                "'a':{'type':'object','x-mcp-header':'A'}",
                "'a':{'type':['string','null'],'x-mcp-header':'A'}",
                "'a':{'x-mcp-header':'A'}",
                "'a':{'type':'string','x-mcp-header':'Region'},'b':{'type':'string','x-mcp-header':'rEGION'}",
                "'a':{'items':{'type':'string','x-mcp-header':'A'}}",
                "'a':{'anyOf':[{'type':'string','x-mcp-header':'A'}]}",
                "'a':{'additionalProperties':{'properties':{'b':{'type':'string','x-mcp-header':'A'}}}}"
            })
    @Tag("CAT-3")
    void excludesInvalidHeaderAnnotationsOfRemoteServersOnly(String properties) {
        ObjectNode tool = tool("a", "'inputSchema':{'type':'object','properties':{" + properties + "}}");
        assertThat(build(true, Limits.standard(), tool).excluded())
                .extracting(Excluded::code)
                .containsExactly("tool.header");
        assertThat(build(false, Limits.standard(), tool).excluded()).isEmpty();
    }

    @Test
    @Tag("CAT-3")
    void acceptsHeadersThatOnlyPropertiesLeadTo() {
        ObjectNode tool = tool(
                "a",
                "'inputSchema':{'type':'object','properties':{'a':{'type':'string','x-mcp-header':'Region'},"
                        + "'x-mcp-header':{'type':'array'},'b':{'type':'object','properties':"
                        + "{'c':{'type':'integer','x-mcp-header':'x!#9'}}},'d':{'type':'boolean','x-mcp-header':'D'}}}");
        assertThat(build(true, Limits.standard(), tool).excluded()).isEmpty();
    }

    @Test
    @Tag("CAT-3")
    void excludesAHeaderAtTheRootOrBehindAReference() {
        ObjectNode root = tool("a", "'inputSchema':{'type':'object','x-mcp-header':'A'}");
        ObjectNode behind = tool(
                "b",
                "'inputSchema':{'type':'object','properties':{'a':{'$ref':'#/$defs/h'}},"
                        + "'$defs':{'h':{'type':'string','x-mcp-header':'A'}}}");
        assertThat(build(true, Limits.standard(), root, behind).excluded())
                .extracting(Excluded::code)
                .containsExactly("tool.header", "tool.header");
    }

    @Test
    @Tag("CAT-6")
    @Tag("T34")
    void digestCoversTheWholeDefinition() {
        String digest =
                build(false, Limits.standard(), tool("a")).tools().getFirst().digest();
        assertThat(digest).isEqualTo(Digest.of(tool("a"))).matches("[0-9a-f]{64}");
        for (String more : List.of("'title':'x'", "'annotations':{'readOnlyHint':true}", "'icons':[]", "'_meta':{}")) {
            assertThat(build(false, Limits.standard(), tool("a", SCHEMA, more))
                            .tools()
                            .getFirst()
                            .digest())
                    .isNotEqualTo(digest);
        }
    }

    @Test
    @Tag("CAT-5")
    void annotationsChangeNothingButTheDigest() {
        Catalog catalog = build(
                false,
                Limits.standard(),
                tool("a", SCHEMA, "'annotations':{'readOnlyHint':true,'destructiveHint':false},'title':'Safe'"));
        assertThat(catalog.tools()).extracting(Tool::description).containsExactly("");
    }
}
