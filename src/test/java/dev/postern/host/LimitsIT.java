package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.call.Outcome;
import dev.postern.config.Config;
import dev.postern.datadir.ConfigFile;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.HostKit.Server;
import dev.postern.natives.Users;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every limit and every timeout does what it says at the value that was set, for all servers or for one, and
/// whoever meets it is told what was seen, how much is allowed, and the key.
@ExtendWith(LeavesNothingBehind.class)
class LimitsIT {
    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}}}}}";
    private static final String ARGUMENTS = "{\"a\":{\"b\":\"xxxx\"}}";
    private static final int ANSWER = 3_000;

    @TempDir
    private Path dir;

    /// What a limit of `strict` refuses and one of `loose` lets through.
    ///
    /// @param told what is said of the value seen, as a regular expression
    private record Case(int strict, int loose, String told) {}

    private static Case of(Limit limit) {
        return switch (limit) {
            case SERVERS -> new Case(1, 2, "2");
            case PAGES -> new Case(2, 3, "3");
            case TOOLS -> new Case(2, 3, "3");
            case DISCOVERY_BYTES -> new Case(150, 100_000, "\\d{3}");
            case FRAME_BYTES -> new Case(2_000, 10_000, "3\\d{3}");
            case DESCRIPTION_CHARS -> new Case(49, 50, "50");
            case SCHEMA_BYTES -> new Case(SCHEMA.length() - 1, SCHEMA.length(), Integer.toString(SCHEMA.length()));
            case SCHEMA_DEPTH -> new Case(2, 3, "3");
            case SCHEMA_NODES -> new Case(7, 8, "8");
            case ARGUMENT_BYTES ->
                new Case(ARGUMENTS.length() - 1, ARGUMENTS.length(), Integer.toString(ARGUMENTS.length()));
            case RESULT_BYTES -> new Case(1_000, 10_000, "");
        };
    }

    private static Script script() {
        var tool = JsonNodeFactory.instance.objectNode().put("name", "t").put("description", "D");
        tool.set("inputSchema", Json.parse(SCHEMA));
        var plain = "\",\"inputSchema\":{\"type\":\"object\"}}";
        return Script.empty()
                .pageSize(1)
                .definition(tool.toString().replace("\"D\"", "\"" + "\\ud83d\\ude00".repeat(50) + "\""))
                .definition("{\"name\":\"u" + plain)
                .definition("{\"name\":\"v" + plain)
                .on(
                        "call:t",
                        "result {\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\""
                                + "x".repeat(ANSWER) + "\"}]}");
    }

    private Loaded load(Limit limit, @Nullable Integer global, @Nullable Integer own, int servers) throws Exception {
        var script = script();
        var config = JsonNodeFactory.instance.objectNode();
        if (global != null) {
            config.putObject("limits").put(limit.shortName(), global);
        }
        var list = config.putArray("mcpServers");
        for (int i = 0; i < servers; i++) {
            var entry = list.addObject();
            entry.put("id", i == 0 ? "s" : "s" + i).put("enabled", true).put("command", script.command());
            var args = entry.putArray("args");
            script.args().forEach(args::add);
            entry.putArray("tools").add("t");
            if (own != null) {
                entry.putObject("limits").put(limit.shortName(), own);
            }
        }
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(dir.resolve("config.json"), config.toString());
        return new ConfigFile(new DataDirectory(dir, Users::effectiveId)).load(name -> null, dir);
    }

    private Config config(Limit limit, @Nullable Integer global, @Nullable Integer own) throws Exception {
        var loaded = load(limit, global, own, 1);
        assertThat(loaded).isInstanceOf(Loaded.Ready.class);
        return ((Loaded.Ready) loaded).config();
    }

    /// What stops a call of `t`, or shortens what it answers; empty when nothing does.
    private String breach(Config config) {
        try (var kit = HostKit.of(dir, config)) {
            return switch (kit.host.tools("s", new Cancellation())) {
                case Answer.Not<Host.ServerTools> not -> not.problem().message();
                case Answer.Here<Host.ServerTools> here ->
                    here.value().excluded().isEmpty()
                            ? breach(kit.call("s", "t", ARGUMENTS).outcome())
                            : here.value().excluded().getFirst().reason();
            };
        }
    }

    private static String breach(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> succeeded.result().truncated() ? "truncated" : "";
            case Outcome.Failed failed -> failed.problem().message();
            case Outcome.Refused refused -> refused.problem().message();
            case Outcome.NotSent notSent -> notSent.problem().message();
            case Outcome.Unknown unknown -> unknown.problem().message();
        };
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SERVERS")
    @Tag("LIM-1")
    @Tag("LIM-2")
    void isEnforcedAtTheValueSetForAllServersOrForOne(Limit limit) throws Exception {
        var of = of(limit);

        var globally = breach(config(limit, of.strict(), null));
        var forOne = breach(config(limit, of.loose(), of.strict()));

        for (var told : List.of(globally, forOne)) {
            if (limit == Limit.RESULT_BYTES) {
                assertThat(told).isEqualTo("truncated");
            } else {
                assertThat(told).containsPattern(of.told()).contains(Integer.toString(of.strict()), limit.key());
            }
        }
        assertThat(breach(config(limit, of.loose(), null))).isEmpty();
        assertThat(breach(config(limit, of.strict(), of.loose()))).isEmpty();
    }

    @Test
    @Tag("LIM-1")
    @Tag("SRV-4")
    void boundsTheNumberOfServers() throws Exception {
        var of = of(Limit.SERVERS);

        assertThat(load(Limit.SERVERS, of.strict(), null, 2).toString())
                .contains("2", "at most 1", Limit.SERVERS.key(), "64");
        assertThat(load(Limit.SERVERS, of.loose(), null, 2)).isInstanceOf(Loaded.Ready.class);
    }

    /// What a peer does instead of answering; none of them but the first reads what it is sent meanwhile.
    private static final List<String> BEHAVIOURS = List.of(
            "nothing",
            "hang",
            "drip 1000 {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}",
            "notify 2000000000 notifications/x");

    static Stream<Arguments> deadlines() {
        var all = new ArrayList<Arguments>();
        for (var timeout : Timeout.values()) {
            BEHAVIOURS.forEach(behaviour -> all.add(Arguments.of(timeout, behaviour)));
        }
        return all.stream();
    }

    private static Script waiting(Timeout timeout, String behaviour) {
        var script = Script.behaving();
        return switch (timeout) {
            case STARTUP -> script.on("initialize", behaviour).on("server/discover", behaviour);
            case REQUEST -> script.on("tools/list", behaviour);
            case CALL -> script.on("call:echo", behaviour);
            case CLOSE -> script.ignoresTerm().ignoresEof().atEof(behaviour);
        };
    }

    @ParameterizedTest
    @MethodSource("deadlines")
    @Tag("WIR-6")
    @Tag("LIM-2")
    @Tag("F2")
    void firesWhateverThePeerDoes(Timeout timeout, String behaviour) {
        var server = Server.of("s", waiting(timeout, behaviour)).timeout(timeout, Duration.ofMillis(900));
        var problems = new ArrayList<Problem>();
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            try (var kit = HostKit.of(dir, server)) {
                switch (kit.call("s", "echo", "{\"text\":\"x\"}").outcome()) {
                    case Outcome.NotSent notSent -> problems.add(notSent.problem());
                    case Outcome.Unknown unknown -> problems.add(unknown.problem());
                    case Outcome.Succeeded succeeded -> assertThat(timeout).isEqualTo(Timeout.CLOSE);
                    case Outcome.Failed failed -> throw new AssertionError(failed);
                    case Outcome.Refused refused -> throw new AssertionError(refused);
                }
                assertThat(kit.host.stop()).isEmpty();
            }
        });
        if (timeout != Timeout.CLOSE) {
            assertThat(problems).singleElement().satisfies(problem -> {
                assertThat(problem.message()).contains("900ms", timeout.key());
                assertThat(problem.next()).contains("raise " + timeout.key());
            });
        }
    }

    /// By the standard of 5 s a server that ignores everything is let live for 5 s.
    @Test
    @Tag("PRC-3")
    @Tag("WIR-6")
    void stopsAsSoonAsItsCloseTimeoutSays() {
        var script = Script.behaving().ignoresEof().ignoresTerm();
        var kit = HostKit.of(dir, Server.of("s", script).timeout(Timeout.CLOSE, Duration.ofMillis(500)));
        kit.host.tools("s", new Cancellation());

        assertTimeoutPreemptively(Duration.ofSeconds(4), kit::close);
    }
}
