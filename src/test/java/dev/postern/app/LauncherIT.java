package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.app.ScriptRun.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `deploy/postern` around a program that tells how it was started, under the real JVM.
@Tag("CLI-9")
class LauncherIT {
    @TempDir
    private static Path shared;

    @TempDir
    private Path own;

    private static ScriptTree tree;
    private static Ended firstUse;

    @BeforeAll
    static void installsInPathWithSpaces() throws IOException {
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        tree = ScriptTree.installed(Files.createDirectory(shared.resolve("an installation, by é")));
        firstUse = tree.postern("pid").run();
    }

    @Test
    void execsJavaSoThatItsPidIsTheLaunchers() {
        Ended ran = tree.postern("pid").run();

        assertThat(ran.out()).isEqualTo(ran.pid() + "\n");
    }

    @Test
    void exitStatusIsTheProgramsOwn() {
        assertThat(tree.postern("exit", "6").run().exit()).isEqualTo(6);
    }

    @Test
    void endsBySigtermAsTheProgramDoes() {
        Started started = tree.postern("wait").start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> started.out().equals("ready\n"));

        started.process().destroy();

        assertThat(started.end().exit()).isEqualTo(143);
    }

    @Test
    void writesNothingButTheCommandsOutputOnceTheCacheIsMade() {
        Ended ran = tree.postern("exit", "0").run();

        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void standardOutputIsPureWhileTheCacheIsMade() {
        assertThat(firstUse.exit()).as("%s", firstUse).isZero();
        assertThat(firstUse.out()).isEqualTo(firstUse.pid() + "\n");
        assertThat(firstUse.err()).isEqualTo("postern: preparing faster starts, once for this build\n");
    }

    @Test
    void worksThroughChainOfRelativeSymlinks() throws IOException {
        Path bin = Files.createDirectories(own.resolve("some bin"));
        Path far = Files.createDirectories(own.resolve("far/away"));
        Files.createSymbolicLink(far.resolve("postern-1"), bin.relativize(bin).resolve(tree.launcher()));
        Files.createSymbolicLink(bin.resolve("postern"), Path.of("../far/away/postern-1"));
        Files.createSymbolicLink(own.resolve("linked"), Path.of("some bin"));

        Ended ran = ScriptRun.of("linked/postern", "pid")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .in(own)
                .run();

        assertThat(ran.out()).isEqualTo(ran.pid() + "\n");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void worksWhenFoundOnPath() {
        Ended ran = ScriptRun.of("/bin/sh", "-c", "exec postern exit 5")
                .with("PATH", tree.launcher().getParent() + ":/usr/bin:/bin")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .run();

        assertThat(ran.exit()).as("%s", ran).isEqualTo(5);
    }

    @Test
    void worksAsArgumentOfTheShell() {
        Ended ran = ScriptRun.of("/bin/sh", "postern", "exit", "5")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .in(tree.home.resolve("deploy"))
                .run();

        assertThat(ran.exit()).as("%s", ran).isEqualTo(5);
    }

    @Test
    void argumentsArriveWholeInTheCLocale() {
        for (String locale : List.of("C", "POSIX", "xx_YY.UTF-8", "en_US.ISO-8859-1")) {
            Ended ran = tree.postern("arguments", "é😀", "", "two words", "*", "a\nb\\n$HOME`", "@file", "--", "-cp")
                    .with("LC_ALL", locale)
                    .run();

            assertThat(ran.out().split("\0", -1))
                    .as(locale)
                    .containsExactly(
                            "arguments", "é😀", "", "two words", "*", "a\nb\\n$HOME`", "@file", "--", "-cp", "");
        }
    }

    @Test
    void worksWithAnEmptyEnvironment() {
        assumeTrue(hasUsualJdk(), "the only JDK here is where nothing but JAVA_HOME leads");

        Ended ran = ScriptRun.of(tree.launcher(), "pid").without("PATH").run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.out()).isEqualTo(ran.pid() + "\n");
    }

    @Test
    void isNotMisledByCdpath() throws IOException {
        Files.createDirectories(own.resolve("deploy"));

        Ended ran = ScriptRun.of("deploy/postern", "pid")
                .with("CDPATH", own)
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .in(tree.home)
                .run();

        assertThat(ran.out()).isEqualTo(ran.pid() + "\n");
    }

    @Test
    void passesOverJavaThatIsTooOld() throws IOException {
        ScriptTree.jdk(own.resolve("old"), "17.0.9", "echo too old; exit 99\n");
        Files.createDirectories(own.resolve("home/.jdks"));
        Files.createSymbolicLink(own.resolve("home/.jdks/a"), ScriptTree.RUNNING_JDK);

        Ended ran = tree.postern("pid")
                .with("JAVA_HOME", own.resolve("old"))
                .with("PATH", own.resolve("old/bin") + ":/usr/bin:/bin")
                .with("HOME", own.resolve("home"))
                .run();

        assertThat(ran.out()).isEqualTo(ran.pid() + "\n");
    }

    @Test
    void saysWhatToInstallWhenNoJdkWillDo() throws IOException {
        ScriptTree needy = ScriptTree.installed(own.resolve("needy"));
        Path search = needy.home.resolve("deploy/find-jdk.sh");
        Files.writeString(search, Files.readString(search).replace("jdk_minimum=25", "jdk_minimum=99"));

        Ended ran = needy.postern("pid").run();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("no JDK 99 or newer found", ScriptTree.RUNNING_JDK + " (JAVA_HOME)", "Install one");
    }

    @Test
    void userWhoCannotWriteTheInstallationKeepsTheCacheAtHome() throws IOException {
        ScriptTree fresh = Nobody.installed(own);
        Path home = Nobody.home(own);

        Ended first = Nobody.postern(fresh, "call").with("HOME", home).run();
        Ended second = Nobody.postern(fresh, "call").with("HOME", home).run();

        assertThat(first.exit()).as("%s", first).isZero();
        assertThat(first.err()).isEqualTo("postern: preparing faster starts, once for this build\n");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).isEqualTo(home + "/.cache/postern/aot" + fresh.home + "/full.aot\n");
        assertThat(fresh.app().resolve("aot")).doesNotExist();
    }

    @Test
    void userWhoCanWriteNothingRunsWithoutCache() throws IOException {
        ScriptTree fresh = Nobody.installed(own);

        Ended ran = Nobody.postern(fresh, "call").with("HOME", "/nonexistent").run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.out()).isEqualTo("none\n");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void cacheOfAnotherUserIsNotTaken() throws IOException {
        assumeTrue(Nobody.isAnother(), "only root can give a file away");
        ScriptTree fresh = Nobody.installed(own);
        Path home = Nobody.home(own);
        Nobody.postern(fresh, "call").with("HOME", home).run();
        Path caches = home.resolve(".cache/postern/aot" + fresh.home);
        ScriptRun.of("/bin/chown", "-R", "1:1", caches).run();
        ScriptRun.of("/bin/chmod", "-R", "a+rX", home.resolve(".cache")).run();

        Ended ran = Nobody.postern(fresh, "call").with("HOME", home).run();

        assertThat(ran.out()).as("%s", ran).isEqualTo("none\n");
    }

    @Test
    void commandsThatNeedNoServerUseTheSmallCache() {
        assertThat(tree.postern("config", "check").run().out()).endsWith("/aot/light.aot\n");
        assertThat(tree.postern("call", "a", "b").run().out()).endsWith("/aot/full.aot\n");
    }

    @Test
    void commandsThatAskAModelUseTheCacheOfAgents() {
        assertThat(tree.postern("exec", "--prompt", "config").run().out()).endsWith("/aot/agent.aot\n");
        assertThat(tree.postern("--json", "chat", "new", "hi").run().out()).endsWith("/aot/agent.aot\n");
        assertThat(tree.postern("chat", "list").run().out()).endsWith("/aot/full.aot\n");
    }

    @Test
    void cacheIsRemadeWhenTheProgramChanges() throws IOException {
        Files.setLastModifiedTime(tree.jar(), FileTime.fromMillis(1_000_000_000_000L));

        Ended changed = tree.postern("call").run();
        Ended again = tree.postern("call").run();

        assertThat(changed.err()).contains("preparing faster starts");
        assertThat(again.err()).isEmpty();
        assertThat(again.out()).endsWith("/full.aot\n");
    }

    @Test
    void damagedCacheDoesNotKeepTheProgramFromRunning() throws IOException {
        Path cache = tree.app().resolve("aot/full.aot");
        Path aside = Files.move(cache, own.resolve("full.aot"));
        try {
            Files.writeString(cache, "not a cache");

            Ended ran = tree.postern("call").run();

            assertThat(ran.exit()).isZero();
            assertThat(ran.out()).isEqualTo("none\n");
            assertThat(ran.err()).isEmpty();
        } finally {
            Files.move(aside, cache, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void globalOptionsBeforeTheCommandDoNotChangeWhichCacheIsUsed() {
        assertThat(tree.postern("--data-dir", "call", "config").run().out()).endsWith("/aot/light.aot\n");
        assertThat(tree.postern("--json", "call").run().out()).endsWith("/aot/full.aot\n");
    }

    @Test
    void theBuiltProgramStartsQuietly() {
        ScriptRun.of(ScriptTree.REAL_LAUNCHER, "--version")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", true)
                .run();

        Ended ran = ScriptRun.of(ScriptTree.REAL_LAUNCHER, "--version")
                .with("JAVA_HOME", ScriptTree.RUNNING_JDK)
                .with("POSTERN_NO_BUILD", true)
                .run();

        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).startsWith("postern ");
        assertThat(ran.err()).isEmpty();
    }

    private static boolean hasUsualJdk() {
        return Files.isDirectory(ScriptTree.RUNNING_JDK.resolve("bin"))
                && ScriptTree.RUNNING_JDK.startsWith("/usr/lib/jvm");
    }
}
