package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A machine that has no descriptor, no process, no room or no writable directory left. Every command ends by
/// itself, with a code of the table and without a stack trace, and leaves nothing running.
@ExtendWith(LeavesNothingBehind.class)
@EnabledOnOs(OS.LINUX)
@Tag("P20")
@Tag("CLI-5")
class ScarcityFaultIT {
    private static final int OTHER_USER = 64_999;

    @TempDir
    private Path dir;

    @TempDir
    private Path scripts;

    private Commands commands() throws IOException {
        var commands = new Commands(dir, scripts);
        commands.server("s", Script.behaving(), "echo");
        return commands;
    }

    private static void endedWell(int limit, Ended ended) {
        assertThat(ended.exit()).as(limit + ": " + ended).isIn(0, 1, 4, 6);
        assertThat(ended.out() + ended.err()).as("at " + limit).doesNotContain("\tat ");
        if (ended.exit() != 0) {
            assertThat(ended.err()).as("at " + limit).contains("error: ");
        }
    }

    @Test
    void withoutDescriptors() throws Exception {
        var all = new ArrayList<Ended>();
        for (int files = 20; files <= 64; files += 6) {
            var ended = commands()
                    .under("prlimit", "--nofile=" + files + ":" + files, "--")
                    .run("call", "s", "echo", "text=hi");
            endedWell(files, ended);
            all.add(ended);
        }

        assertThat(all).anySatisfy(ended -> {
            assertThat(ended.exit()).isEqualTo(4);
            assertThat(ended.err()).contains("could not be started: Too many open files.", "ulimit -n");
        });
        assertThat(commands().under("prlimit", "--nofile=256:256", "--").run("call", "s", "echo", "text=hi"))
                .satisfies(ended -> assertThat(ended.out()).isEqualTo("hi\n"));
    }

    /// Root knows no such limit: there another user runs the program, who may read what root reads.
    private List<String> asOrdinaryUser(Path data) throws IOException {
        if (!Nobody.isAnother()) {
            return List.of();
        }
        Files.setAttribute(data, "unix:uid", OTHER_USER);
        Files.setAttribute(scripts, "unix:uid", OTHER_USER);
        return List.of(
                "setpriv",
                "--reuid=" + OTHER_USER,
                "--regid=" + OTHER_USER,
                "--clear-groups",
                "--inh-caps=+dac_read_search",
                "--ambient-caps=+dac_read_search",
                "--");
    }

    private Ended withProcesses(int most) throws IOException {
        var words = new ArrayList<>(asOrdinaryUser(dir));
        words.addAll(List.of("prlimit", "--nproc=" + most + ":" + most, "--"));
        return commands().under(words.toArray(String[]::new)).run("call", "s", "echo", "text=hi");
    }

    @Test
    void withoutProcesses() throws Exception {
        boolean refused = false;
        for (int most : new int[] {20, 26, 34}) {
            var ended = withProcesses(most);
            endedWell(most, ended);
            refused |= ended.exit() != 0;
        }

        assertThat(refused).isTrue();
        assertThat(withProcesses(8_192).err()).doesNotContain("ulimit -u", "memory or threads", "fault");
    }

    /// The data directory becomes a file system of its own, in a mount namespace that ends with the command.
    ///
    /// @param then what is done with it, `$1`, before the program starts
    private static String[] mounted(String options, String then) {
        return new String[] {
            "unshare",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            "d=$1; keep=$(mktemp -d); cp -a \"$d/.\" \"$keep\"; mount -t tmpfs -o " + options
                    + " tmpfs \"$d\" && chmod 700 \"$d\" && cp \"$keep/config.json\" \"$d\"; rm -r \"$keep\"; " + then
                    + "; shift; printf %s 0123456789 | \"$@\"",
            "sh"
        };
    }

    private Ended mounted(String options, String then, String... words) throws IOException {
        var wrapper = new ArrayList<>(List.of(mounted(options, then)));
        wrapper.add(dir.toString());
        return commands().under(wrapper.toArray(String[]::new)).run(words);
    }

    private void assumeMounts() throws IOException {
        var probe = mounted("size=64k", "true", "--version");
        assumeTrue(probe.exit() == 0, () -> "no file system can be mounted here: " + probe.err());
    }

    private static final String FULL = "dd if=/dev/zero of=\"$d/filler\" bs=1k 2>/dev/null";
    private static final String READ_ONLY = "mount -o remount,ro \"$d\"";

    @Test
    @Tag("SEC-6")
    @Tag("STO-3")
    void withoutRoom() throws Exception {
        assumeMounts();

        var stored = mounted("size=64k", FULL, "credential", "set", "github");
        assertThat(stored.exit()).as(stored.toString()).isEqualTo(1);
        assertThat(stored.err())
                .contains("error: ", "no space left on the device")
                .doesNotContain("\tat ");

        var called = mounted("size=64k", FULL, "call", "s", "echo", "text=hi");
        assertThat(called.exit()).as(called.toString()).isEqualTo(1);
        assertThat(called.err())
                .contains("the disk is full", "Nothing was sent")
                .doesNotContain("\tat ");

        // What is remembered of a discovery is a convenience: without room it is left out.
        var listed = mounted("size=64k", FULL, "mcp", "tools", "s");
        assertThat(listed.out()).as(listed.toString()).contains("echo");
        assertThat(listed.exit()).isZero();
    }

    @Test
    @Tag("SEC-6")
    @Tag("STO-3")
    void withAReadOnlyDataDirectory() throws Exception {
        assumeMounts();

        var stored = mounted("size=64k", READ_ONLY, "credential", "set", "github");
        assertThat(stored.exit()).as(stored.toString()).isIn(1, 3);
        assertThat(stored.err())
                .contains("error: ", "the file system is read-only")
                .doesNotContain("\tat ");

        var called = mounted("size=64k", READ_ONLY, "call", "s", "echo", "text=hi");
        assertThat(called.exit()).as(called.toString()).isEqualTo(1);
        assertThat(called.err())
                .contains("the file system is read-only", "Nothing was sent")
                .doesNotContain("\tat ");

        var listed = mounted("size=64k", READ_ONLY, "mcp", "tools", "s");
        assertThat(listed.out()).as(listed.toString()).contains("echo");
        assertThat(listed.exit()).isZero();
    }
}
