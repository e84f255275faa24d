package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;
import dev.postern.host.HostKit.Server;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Discovery against servers that list too much, endlessly, or what can't be used.
@ExtendWith(LeavesNothingBehind.class)
@Tag("F8")
class DiscoveryIT {
    @TempDir
    private Path dir;

    private Problem failure(Server server) {
        try (var kit = HostKit.of(dir, server)) {
            return switch (kit.host.tools("s", new Cancellation())) {
                case Answer.Here<Host.ServerTools> here -> throw new AssertionError("discovered " + here.value());
                case Answer.Not<Host.ServerTools> not -> not.problem();
            };
        }
    }

    private static Script manyTools(int count) {
        var script = Script.empty();
        for (int i = 0; i < count; i++) {
            script.definition("{\"name\":\"tool" + i + "\",\"inputSchema\":{\"type\":\"object\"}}");
        }
        return script;
    }

    @Test
    @Tag("CAT-1")
    void followsPagesUpToTheLimit() {
        try (var kit = HostKit.of(dir, Server.of("s", manyTools(8).pageSize(1)).tools("tool0", "tool7"))) {
            var answer = (Answer.Here<Host.ServerTools>) kit.host.tools("s", new Cancellation());

            assertThat(answer.value().tools())
                    .extracting(Host.OfferedTool::name)
                    .containsExactly("tool0", "tool7");
        }
    }

    @Test
    @Tag("CAT-1")
    void failsOnTheNinthPage() {
        var problem = failure(Server.of("s", manyTools(9).pageSize(1)));

        assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_LIMIT);
        assertThat(problem.message()).contains("8", "limits.pages");
    }

    @Test
    @Tag("CAT-1")
    void failsOnARepeatedCursor() {
        assertThat(failure(Server.of("s", Script.behaving().cursor("same"))).code())
                .isEqualTo(ErrorCode.DISCOVERY_CURSOR);
    }

    @Test
    @Tag("CAT-1")
    void failsOnCursorsThatNeverEnd() {
        assertThat(failure(Server.of("s", Script.behaving().cursor("endless"))).code())
                .isEqualTo(ErrorCode.DISCOVERY_LIMIT);
    }

    @Test
    @Tag("CAT-1")
    void takesAnEmptyStringForACursor() {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving().cursor("empty")))) {
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
        }
    }

    @Test
    @Tag("CAT-1")
    @Tag("LIM-1")
    void failsOnThe129thTool() {
        try (var kit = HostKit.of(dir, Server.of("s", manyTools(128)).tools("tool127"))) {
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
        }

        var problem = failure(Server.of("s", manyTools(129)).tools("tool127"));

        assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_LIMIT);
        assertThat(problem.message()).contains("129", "128", "limits.tools");
    }

    @Test
    @Tag("CAT-1")
    @Tag("LIM-2")
    void failsOnTooManyBytesUnlessTheKeyIsRaised() {
        var script = Script.empty();
        for (int i = 0; i < 10; i++) {
            script.definition("{\"name\":\"t" + i + "\",\"description\":\"" + "d".repeat(4_000)
                    + "\",\"inputSchema\":{\"type\":\"object\"}}");
        }
        var problem = failure(Server.of("s", script)
                .tools("t1")
                .limit(Limit.DISCOVERY_BYTES, 30_000)
                .limit(Limit.FRAME_BYTES, 100_000));
        assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_LIMIT);
        assertThat(problem.message()).contains("30000", "limits.discoveryBytes");

        var raised = Server.of("s", script)
                .tools("t1")
                .limit(Limit.DISCOVERY_BYTES, 100_000)
                .limit(Limit.FRAME_BYTES, 10_000);
        try (var kit = HostKit.of(dir, raised)) {
            assertThat(kit.host.tools("s", new Cancellation())).isInstanceOf(Answer.Here.class);
        }
    }

    @Test
    @Tag("CAT-1")
    void failsOnADuplicateName() {
        var script = Script.empty()
                .definition("{\"name\":\"twin\",\"inputSchema\":{\"type\":\"object\"}}")
                .definition("{\"name\":\"twin\",\"inputSchema\":{\"type\":\"object\"}}");

        var problem = failure(Server.of("s", script));

        assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_DUPLICATE);
        assertThat(problem.message()).contains("twin");
    }

    @Test
    @Tag("CAT-3")
    void excludesAnUnfitToolAloneAndRefusesIt() {
        var script = Script.behaving()
                .definition("{\"name\":\"bomb\",\"inputSchema\":{\"type\":\"object\",\"$ref\":\"#/$defs/a\",\"$defs\":"
                        + "{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/a\"}]}}}}");
        try (var kit = HostKit.of(dir, Server.of("s", script).tools("echo", "bomb"))) {
            var answer = (Answer.Here<Host.ServerTools>) kit.host.tools("s", new Cancellation());

            assertThat(answer.value().tools())
                    .extracting(Host.OfferedTool::name)
                    .containsExactly("echo");
            assertThat(answer.value().excluded())
                    .singleElement()
                    .satisfies(excluded -> assertThat(excluded.name()).isEqualTo("bomb"));
            assertThat(kit.call("s", "echo", "{\"text\":\"x\"}").outcome()).isInstanceOf(Outcome.Succeeded.class);
            assertThat(kit.call("s", "bomb", "{}").outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.problem().code()).isEqualTo(ErrorCode.TOOL_EXCLUDED));
        }
    }

    @Test
    @Tag("CLI-2")
    @Tag("CAT-2")
    void listsEveryToolWithWhetherItIsAllowed() {
        try (var kit = HostKit.of(dir, Server.of("s", Script.behaving()).tools("add"))) {
            var answer = (Answer.Here<List<Host.ListedTool>>) kit.host.discover("s", new Cancellation());

            assertThat(answer.value())
                    .extracting(Host.ListedTool::name, Host.ListedTool::allowed)
                    .containsExactly(
                            Tuple.tuple("echo", false),
                            Tuple.tuple("add", true),
                            Tuple.tuple("fail", false),
                            Tuple.tuple("slow", false));
        }
    }

    @Test
    @Tag("CAT-1")
    void saysWhatTheServerAnsweredInsteadOfTools() {
        var refused = failure(Server.of("s", Script.behaving().on("tools/list", "error -32603 fetch failed")));
        assertThat(refused.code()).isEqualTo(ErrorCode.DISCOVERY_REFUSED);
        assertThat(refused.message()).contains("-32603", "fetch failed");

        var invalid = failure(Server.of("s", Script.behaving().on("tools/list", "result {\"tools\":{}}")));
        assertThat(invalid.code()).isEqualTo(ErrorCode.DISCOVERY_INVALID);
    }
}
