package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.wire.JsonSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Would we accept what real servers list? Their captured catalogs are not part of this project: the system
/// property `postern.catalogs` says where they are.
@Tag("CAT-3")
class CatalogsTest {
    /// Every tool that the standard limits exclude, of all servers captured.
    private static final Set<String> EXCLUDED = Set.of("server-everything simulate-research-query tool.task-required");

    private static List<Path> files() throws IOException {
        Path folder = Path.of(System.getProperty("postern.catalogs", "no such folder"));
        assumeTrue(Files.isDirectory(folder), "skipped: no captured catalogs at " + folder + " (-Dpostern.catalogs=…)");
        try (var files = Files.list(folder)) {
            List<Path> catalogs = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertThat(catalogs).hasSizeGreaterThan(10);
            return catalogs;
        }
    }

    private static List<ObjectNode> tools(Path file) throws IOException {
        var tools = new ArrayList<ObjectNode>();
        for (JsonNode tool : Json.parse(Files.readString(file)).path("tools")) {
            tools.add((ObjectNode) tool);
        }
        return tools;
    }

    private static Catalog catalog(Path file, Limits limits, boolean remote) throws IOException {
        List<ObjectNode> tools = tools(file);
        List<String> names =
                tools.stream().map(tool -> tool.get("name").asText()).toList();
        String server = file.getFileName().toString().replace(".json", "");
        Catalog catalog = new CatalogBuilder(server, limits, remote, text -> text).build(tools, names);
        assertThat(catalog.missing()).isEmpty();
        assertThat(catalog.tools().size() + catalog.excluded().size()).isEqualTo(tools.size());
        return catalog;
    }

    @Test
    void standardLimitsExcludeOnlyWhatTheirNumbersSay() throws IOException {
        var excluded = new TreeSet<String>();
        for (Path file : files()) {
            Catalog catalog = catalog(file, Limits.standard(), false);
            for (Excluded one : catalog.excluded()) {
                excluded.add(catalog.server() + " " + one.name() + " " + one.code());
            }
        }
        assertThat(excluded).isEqualTo(EXCLUDED);
    }

    @Test
    void noLimitStandsInFrontOfAFaultInKeywordReferencePatternOrUnfolding() throws IOException {
        Limits widest = Limits.standard();
        for (Limit limit : Limit.values()) {
            widest = widest.with(limit, limit.ceiling());
        }
        for (Path file : files()) {
            assertThat(catalog(file, widest, true).excluded())
                    .extracting(Excluded::code)
                    .allMatch("tool.task-required"::equals);
        }
    }

    @Test
    void everyToolsSchemasCompileAndAnswer() throws IOException {
        for (Path file : files()) {
            for (Tool tool : catalog(file, Limits.standard(), false).tools()) {
                assertThat(tool.input().validate(Json.of("[]")))
                        .as("%s %s", tool.server(), tool.name())
                        .contains(new ToolSchema.Violation("", "must be object, not array"));
                assertThat(tool.input().validate(Json.of("{}")))
                        .noneMatch(violation -> violation.message().contains("could not be checked"));
                if (tool.output() != null) {
                    assertThat(tool.output().validate(Json.of("7"))).isNotEmpty();
                }
            }
        }
    }

    @Test
    void everyToolHasItsOwnModelName() throws IOException {
        var tools = new ArrayList<Tool>();
        for (Path file : files()) {
            tools.addAll(catalog(file, Limits.standard(), false).tools());
        }
        ModelNames.Assigned assigned = ModelNames.assign(tools);
        assertThat(assigned.refused()).isEmpty();
        assertThat(assigned.tools()).hasSameSizeAs(tools);
        assertThat(assigned.tools().keySet()).allMatch(name -> name.matches("[a-z0-9_]{26,64}"));
    }

    @Test
    void onePageOfEachDiscoversUnlessANumberIsExceeded() throws IOException {
        for (Path file : files()) {
            JsonNode tools = Json.parse(Files.readString(file)).path("tools");
            Discovery.Step step =
                    new Discovery("s", Limits.standard(), text -> text).addPage(tools, JsonSize.of(tools), null);
            assertThat(step).isInstanceOf(Discovery.Step.Complete.class);
        }
    }
}
