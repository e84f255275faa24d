package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Limit;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A gibibyte of everything a server can send goes to a host that has 64 MiB of heap. What may pass, passes
/// whole; what may not, ends the connection and says so. Either way the host serves another server afterwards.
@ExtendWith(LeavesNothingBehind.class)
@EnabledOnOs(OS.LINUX)
@Tag("LIM-3")
class FloodIT {
    private static final long GIBIBYTE = 1L << 30;

    /// The host's heap may fill up, and its native memory may grow somewhat; a buffered flood would be eight
    /// times as much at least.
    private static final long MOST_GROWTH_KIB = 128 << 10;

    @TempDir
    private Path dir;

    /// What the host with the small heap said, by key.
    private Map<String, String> flood(Script script, int pages) throws Exception {
        var file = Files.writeString(dir.resolve("script"), script.text());
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(FloodMain.class.getName(), dir.resolve("data").toString(), file.toString()));
        command.add(Integer.toString(pages));
        var errors = dir.resolve("errors");
        var builder = new ProcessBuilder(command).redirectError(errors.toFile());
        // What this JVM was given, even if a test before has made it overwrite its own block.
        builder.environment().putAll(System.getenv());
        var process = builder.start();
        try {
            var said = new TreeMap<String, String>();
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> said.put(line.replaceFirst("=.*", ""), line.replaceFirst("^[^=]*=", "")));
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said + Files.readString(errors)).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void survives(Map<String, String> said) {
        assertThat(said).containsEntry("other", "succeeded");
        assertThat(Long.parseLong(said.get("grown")))
                .as("KiB of resident growth")
                .isLessThan(MOST_GROWTH_KIB);
    }

    private static String notification(int bytes) {
        var start = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"";
        var end = "\"}}";
        return start + "x".repeat(bytes - start.length() - end.length()) + end;
    }

    private static String lines(int bytes, String line) {
        return "noise " + (GIBIBYTE / bytes) + " " + line;
    }

    @Test
    @Tag("F2")
    void aLineWithoutAnEndBeforeTheHandshakeEndsTheStart() throws Exception {
        var said = flood(Script.behaving().atStart("endless " + GIBIBYTE), 8);

        assertThat(said.get("outcome")).contains("WIRE_FRAME_TOO_LARGE", "limits.");
        survives(said);
    }

    @Test
    @Tag("F2")
    void aLineWithoutAnEndDuringACallLeavesItUnknown() throws Exception {
        var said = flood(Script.behaving().on("call:echo", "endless " + GIBIBYTE), 8);

        assertThat(said.get("outcome")).contains("UNKNOWN_ENDED", "262144 (limits.frameBytes)");
        survives(said);
    }

    @Test
    @Tag("F4")
    @Tag("WIR-2")
    void linesOfNoiseEndTheStart() throws Exception {
        var said = flood(Script.behaving().atStart(lines(1_024, "n".repeat(1_023))), 8);

        assertThat(said.get("outcome")).contains("WIRE_NOISE", "64 are tolerated");
        survives(said);
    }

    @Test
    @Tag("F4")
    @Tag("WIR-2")
    void linesOfNoiseDuringACallLeaveItUnknown() throws Exception {
        var said = flood(Script.behaving().on("call:echo", lines(1_024, "n".repeat(1_023))), 8);

        assertThat(said.get("outcome")).contains("UNKNOWN_ENDED", "16 are tolerated");
        survives(said);
    }

    @Test
    @Tag("F6")
    @Tag("WIR-8")
    void notificationsPassAndTheCallSucceeds() throws Exception {
        var said = flood(
                Script.behaving()
                        .on("call:echo", lines(1_024, notification(1_023)))
                        .on("call:echo", "answer"),
                8);

        assertThat(said.get("outcome")).isEqualTo("succeeded");
        survives(said);
    }

    @Test
    @Tag("F1")
    @Tag("WIR-8")
    void theLargestMessagesPassAndTheCallSucceeds() throws Exception {
        int largest = Limit.FRAME_BYTES.standard();
        var said = flood(
                Script.behaving()
                        .on("call:echo", lines(largest, notification(largest)))
                        .on("call:echo", "answer"),
                8);

        assertThat(said.get("outcome")).isEqualTo("succeeded");
        survives(said);
    }

    @Test
    @Tag("P17")
    void standardErrorPassesAndTheCallSucceeds() throws Exception {
        var said = flood(Script.behaving().on("call:echo", "stderr " + GIBIBYTE).on("call:echo", "answer"), 8);

        assertThat(said.get("outcome")).isEqualTo("succeeded");
        assertThat(said.get("tail")).matches("\\[107\\d{7} bytes before this were dropped\\]");
        survives(said);
    }

    @Test
    @Tag("F8")
    @Tag("CAT-1")
    void pagesWithoutAnEndEndDiscovery() throws Exception {
        var said = flood(Script.behaving().cursor("endless"), Limit.PAGES.ceiling());

        assertThat(said.get("outcome")).contains("DISCOVERY_LIMIT", "64", "limits.pages");
        survives(said);
    }

    @Test
    @Tag("F8")
    @Tag("CAT-1")
    void pagesFullOfToolsEndDiscovery() throws Exception {
        var script = Script.empty().pageSize(10).cursor("endless");
        for (int i = 0; i < 40; i++) {
            script.definition("{\"name\":\"t" + i + "\",\"inputSchema\":{\"type\":\"object\"},\"description\":\""
                    + "d".repeat(8_000) + "\"}");
        }
        var said = flood(script, Limit.PAGES.ceiling());

        assertThat(said.get("outcome")).containsPattern("DISCOVERY_LIMIT|WIRE_FRAME_TOO_LARGE");
        assertThat(said.get("outcome")).contains("262144", "limits.discoveryBytes");
        survives(said);
    }

    @Test
    @Tag("RES-1")
    void theLargestAnswersAreShortened() throws Exception {
        var text = "\\\\u0041 ".repeat((Limit.FRAME_BYTES.standard() - 300) / 8);
        var said = flood(
                Script.behaving()
                        .on(
                                "call:echo",
                                "result {\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"" + text
                                        + "\"}]}"),
                8);

        assertThat(said.get("outcome")).isEqualTo("succeeded");
        survives(said);
    }
}
