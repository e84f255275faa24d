package dev.postern.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.catalog.Discovery.Step;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("CAT-1")
@Tag("F8")
class DiscoveryTest {
    private final Discovery discovery = new Discovery("files", Limits.standard(), text -> text);

    private static JsonNode page(String... names) {
        ArrayNode page = Json.MAPPER.createArrayNode();
        for (String name : names) {
            page.addObject().put("name", name);
        }
        return page;
    }

    private static JsonNode numbered(int from, int count) {
        var names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "t" + (from + i);
        }
        return page(names);
    }

    private static Problem problem(Step step) {
        assertThat(step).isInstanceOf(Step.Failed.class);
        return ((Step.Failed) step).problem();
    }

    @Test
    void collectsToolsInTheServersOrder() {
        assertThat(discovery.addPage(page("b", "a"), 10, "x")).isEqualTo(new Step.More("x"));
        assertThat(discovery.addPage(page("c"), 10, null))
                .isInstanceOfSatisfying(
                        Step.Complete.class,
                        complete -> assertThat(complete.tools())
                                .extracting(tool -> tool.get("name").asText())
                                .containsExactly("b", "a", "c"));
    }

    @Test
    void takesAnEmptyTextForACursorLikeAnyOther() {
        assertThat(discovery.addPage(page("a"), 10, "")).isEqualTo(new Step.More(""));
        assertThat(problem(discovery.addPage(page("b"), 10, "")))
                .isEqualTo(new Problem(
                        ErrorCode.DISCOVERY_CURSOR,
                        "The server files gave the cursor \"\" a second time, after 2 pages of tools.",
                        "Its list would never end: report it to the server's authors, or use another version."));
    }

    @Test
    void noticesALoopOfSeveralCursors() {
        discovery.addPage(page("a"), 10, "1");
        discovery.addPage(page("b"), 10, "2");
        assertThat(problem(discovery.addPage(page("c"), 10, "1")).code()).isEqualTo(ErrorCode.DISCOVERY_CURSOR);
    }

    @Test
    void readsTheCursorOfAResult() {
        assertThat(discovery.addResult(Json.of("{'tools':[],'nextCursor':''}"), 10))
                .isEqualTo(new Step.More(""));
        assertThat(discovery.addResult(Json.of("{'tools':[],'nextCursor':null}"), 10))
                .isInstanceOf(Step.Complete.class);
        assertThat(new Discovery("s", Limits.standard(), text -> text).addResult(Json.of("{'tools':[]}"), 10))
                .isInstanceOf(Step.Complete.class);
        assertThat(problem(discovery.addResult(Json.of("{'tools':[],'nextCursor':5}"), 10))
                        .code())
                .isEqualTo(ErrorCode.DISCOVERY_INVALID);
    }

    @Test
    void acceptsEightPagesAndNoMore() {
        for (int i = 1; i < 8; i++) {
            assertThat(discovery.addPage(page("a" + i), 10, "c" + i)).isInstanceOf(Step.More.class);
        }
        assertThat(discovery.addPage(page("a8"), 10, null)).isInstanceOf(Step.Complete.class);
    }

    @Test
    @Tag("LIM-2")
    void failsWhenANinthPageIsAnnounced() {
        for (int i = 1; i < 8; i++) {
            discovery.addPage(page("a" + i), 10, "c" + i);
        }
        assertThat(problem(discovery.addPage(page("a8"), 10, "c8")))
                .isEqualTo(
                        new Problem(
                                ErrorCode.DISCOVERY_LIMIT,
                                "The server files listed at least 9 pages of tools, over the limit of 8 (limits.pages).",
                                "Raise limits.pages for this server in config.json (at most 64), or have it offer fewer tools."));
    }

    @Test
    void acceptsTheHundredAndTwentyEighthToolAndNotTheNext() {
        assertThat(discovery.addPage(numbered(0, 100), 10, "x")).isInstanceOf(Step.More.class);
        assertThat(discovery.addPage(numbered(100, 28), 10, "y")).isInstanceOf(Step.More.class);
        assertThat(problem(discovery.addPage(page("one"), 10, null)).message())
                .isEqualTo("The server files listed at least 129 tools, over the limit of 128 (limits.tools).");
    }

    @Test
    void addsUpBytesOverAllPages() {
        assertThat(discovery.addPage(page("a"), 262_000, "x")).isInstanceOf(Step.More.class);
        assertThat(discovery.addPage(page("b"), 144, "y")).isInstanceOf(Step.More.class);
        assertThat(problem(discovery.addPage(page("c"), 1, null)).message())
                .isEqualTo("The server files listed at least 262145 bytes of tool definitions, over the limit of 262144"
                        + " (limits.discoveryBytes).");
    }

    @Test
    void obeysTheServersOwnLimits() {
        var raised = new Discovery("s", Limits.standard().with(Limit.TOOLS, 200), text -> text);
        assertThat(raised.addPage(numbered(0, 200), 10, null)).isInstanceOf(Step.Complete.class);
    }

    @Test
    void failsForTwoToolsOfOneNameOnWhateverPages() {
        discovery.addPage(page("read"), 10, "x");
        assertThat(problem(discovery.addPage(page("Read", "read"), 10, null)))
                .extracting(Problem::code, Problem::message)
                .containsExactly(ErrorCode.DISCOVERY_DUPLICATE, "The server files listed two tools named \"read\".");
    }

    @Test
    @Tag("CAT-5")
    @Tag("T35")
    void showsNoControlCharacterOfAName() {
        assertThat(problem(discovery.addPage(page("\u001b[2J\u202e", "\u001b[2J\u202e"), 10, null))
                        .message())
                .isEqualTo("The server files listed two tools named \"\\u{1B}[2J\\u{202E}\".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "'x'", "5"})
    void failsWhenToolsAreNoArray(String tools) {
        assertThat(problem(discovery.addPage(Json.of(tools), 10, null)).code()).isEqualTo(ErrorCode.DISCOVERY_INVALID);
        assertThat(problem(discovery.addResult(Json.of("{'nextCursor':'x'}"), 10))
                        .code())
                .isEqualTo(ErrorCode.DISCOVERY_INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "'x'", "{}", "{'name':5}", "{'name':null}"})
    void failsForAnEntryWithoutAName(String entry) {
        assertThat(problem(discovery.addPage(Json.of("[{'name':'a'}," + entry + "]"), 10, null)))
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_INVALID);
                    assertThat(problem.message()).contains("tool number 2");
                });
    }
}
