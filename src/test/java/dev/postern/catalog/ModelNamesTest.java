package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limits;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("MOD-1")
class ModelNamesTest {
    /// Two names that a search found to share their first 24 characters and 48 bits of hash on the server
    /// `files`.
    private static final String ONE = "one_readable_name_for_all_11065014";

    private static final String TWIN = "one_readable_name_for_all_20542071";

    private static ObjectNode definition(String name) {
        return Json.object("{'name':'" + name + "','inputSchema':{'type':'object'}}");
    }

    private static Tool tool(String server, String name) {
        return new Tool(server, name, "", definition(name), new LazySchema(Json.of("{}"), Json.AS_IS), null, "");
    }

    /// The digits are those of `printf 'SERVER\0TOOL' | sha256sum`.
    @ParameterizedTest
    @CsvSource({
        "files,read_text_file,postern_mcp_read_text_file_62a539932fe6",
        "git-hub,Create.Issue-From/Template_v2,postern_mcp_create_issue_from_templa_8fd4b152292a",
    })
    void areReadableAndPinnedByAHash(String server, String tool, String expected) {
        assertThat(ModelNames.of(server, tool)).isEqualTo(expected);
    }

    @Test
    @Tag("T35")
    void keepSimilarNamesApart() {
        assertThat(List.of(
                        ModelNames.of("a", "read.file"),
                        ModelNames.of("a", "read_file"),
                        ModelNames.of("a", "READ_FILE"),
                        ModelNames.of("b", "read_file"),
                        ModelNames.of("a", "read-file")))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.startsWith("postern_mcp_read_file_"));
    }

    @Test
    @Tag("T35")
    void stayWithin64CharactersThatEveryModelAccepts() {
        var random = new Random(64);
        for (int i = 0; i < 2_000; i++) {
            var name = new StringBuilder();
            for (int j = 1 + random.nextInt(128); j > 0; j--) {
                name.append((char) (33 + random.nextInt(94)));
            }
            assertThat(ModelNames.of("s".repeat(64), name.toString()))
                    .matches("postern_mcp_[a-z0-9_]{1,24}_[0-9a-f]{12}");
        }
    }

    @Test
    @Tag("T35")
    void refusesBothOfTwoToolsThatWouldShareAName() {
        assertThat(ModelNames.of("files", ONE)).isEqualTo(ModelNames.of("files", TWIN));
        ModelNames.Assigned assigned = ModelNames.assign(
                List.of(tool("files", "x"), tool("files", ONE), tool("files", TWIN), tool("git", "x")));
        assertThat(assigned.tools().values()).extracting(Tool::server).containsExactly("files", "git");
        assertThat(assigned.refused()).extracting(Tool::name).containsExactlyInAnyOrder(ONE, TWIN);
    }

    @Test
    @Tag("CAT-3")
    void excludesBothFromTheirCatalogInTheServersOrder() {
        Catalog catalog = new CatalogBuilder("files", Limits.standard(), false, text -> text)
                .build(
                        List.of(definition(TWIN), definition("bad name"), definition("y"), definition(ONE)),
                        List.of(ONE, TWIN, "y", "bad name"));
        assertThat(catalog.tools()).extracting(Tool::name).containsExactly("y");
        assertThat(catalog.excluded()).extracting(Excluded::name).containsExactly(TWIN, "bad name", ONE);
        assertThat(catalog.excluded())
                .extracting(Excluded::code)
                .containsExactly("tool.model-name", "tool.name", "tool.model-name");
    }
}
