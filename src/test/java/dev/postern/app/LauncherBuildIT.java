package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.ScriptRun.Ended;
import dev.postern.app.ScriptRun.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `deploy/postern` in a source tree: when it builds, what it says, and what it leaves. Maven and java are
/// stand-ins.
@Tag("CLI-9")
class LauncherBuildIT {
    @TempDir
    private Path temp;

    @Test
    void buildsOnFirstUseAndSaysSoOnStandardErrorOnly() throws IOException {
        ScriptTree tree = sources(":");

        Ended ran = tree.postern("call", "a").run();

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.out()).isEqualTo("ran call a\n");
        assertThat(ran.err()).startsWith("postern: building, this once");
        assertThat(tree.builds()).isEqualTo(1);
        assertThat(lock(tree)).doesNotExist();
    }

    @Test
    void buildsNothingWhileTheSourcesAreOlder() throws IOException {
        ScriptTree tree = sources(":");
        tree.postern("call").run();

        Ended ran = tree.postern("call").run();

        assertThat(ran.err()).isEmpty();
        assertThat(tree.builds()).isEqualTo(1);
    }

    @Test
    void buildsAgainWhenASourceIsNewer() throws IOException {
        ScriptTree tree = sources(":");
        tree.postern("call").run();
        age(tree);

        Ended ran = tree.postern("call").run();

        assertThat(ran.err()).contains("building what has changed");
        assertThat(tree.builds()).isEqualTo(2);
    }

    @Test
    void buildsAgainWhenASourceWasEditedDuringTheBuild() throws IOException {
        ScriptTree tree = sources("sleep 0.1; echo '// more' >>src/main/java/A.java");
        tree.postern("call").run();

        tree.postern("call").run();

        assertThat(tree.builds()).isEqualTo(2);
    }

    @Test
    void buildsNothingWhereItIsToldNotTo() throws IOException {
        ScriptTree tree = sources(":");
        tree.postern("call").run();
        age(tree);

        tree.postern("call").with("POSTERN_NO_BUILD", true).run();

        assertThat(tree.builds()).isEqualTo(1);
    }

    @Test
    void saysWhatToRunWhenNothingIsBuiltAndItMayNot() throws IOException {
        ScriptTree tree = sources(":");

        Ended ran = tree.postern("call").with("POSTERN_NO_BUILD", true).run();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).startsWith("postern: not built").contains("mvnw");
    }

    @Test
    void failedBuildNamesItsFirstErrorAndItsLog() throws IOException {
        ScriptTree tree = sources("echo '[INFO] hm'; echo '[ERROR] A.java:[1,1] boom'; echo '[ERROR] more'; exit 1");

        Ended ran = tree.postern("call").run();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("the build failed: A.java:[1,1] boom")
                .contains(tree.home.resolve("target/build.log").toString())
                .doesNotContain("more");
        assertThat(lock(tree)).doesNotExist();
    }

    @Test
    void firstUsesAtTheSameTimeBuildOnce() throws IOException {
        ScriptTree tree = sources("sleep 1");
        List<Started> uses = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            uses.add(tree.postern("call", i).start());
        }

        for (int i = 0; i < uses.size(); i++) {
            assertThat(uses.get(i).end().out()).isEqualTo("ran call " + i + "\n");
        }
        assertThat(tree.builds()).isEqualTo(1);
    }

    @Test
    void lockOfADeadProcessIsTakenOver() throws IOException {
        ScriptTree tree = sources(":");
        Files.createDirectories(tree.home.resolve("target"));
        // This process lives, but began at another time than the lock says.
        Files.createSymbolicLink(lock(tree), Path.of(ProcessHandle.current().pid() + ".1"));

        Ended ran = tree.postern("call").run();

        assertThat(ran.out()).isEqualTo("ran call\n");
        assertThat(lock(tree)).doesNotExist();
    }

    @Test
    void signalDuringTheBuildEndsTheBuildToo() throws IOException {
        ScriptTree tree = sources("echo $$ >maven-pid; exec sleep 600");
        Started started = tree.postern("call").start();
        Path pidFile = tree.home.resolve("maven-pid");
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(pidFile) && Files.size(pidFile) > 0);
        long maven = Long.parseLong(Files.readString(pidFile).strip());

        started.process().destroy();

        assertThat(started.end().exit()).isEqualTo(143);
        assertThat(ProcessHandle.of(maven)).isEmpty();
        assertThat(lock(tree)).doesNotExist();
        assertThat(tree.jar()).doesNotExist();
    }

    @Test
    void userWhoCannotWriteIsToldWhoCan() throws IOException {
        ScriptTree tree = sources(":");
        ScriptRun run = Nobody.postern(tree, "call").with("JAVA_HOME", tree.fakeJdk());
        Nobody.keepFromWriting(tree.home, temp);

        Ended ran = run.run();

        assertThat(ran.exit()).as("%s", ran).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("you can't write to " + tree.home, "Let its owner run");
    }

    @Test
    void olderBuildServesWhoCannotMakeANewOne() throws IOException {
        ScriptTree tree = sources(":");
        tree.postern("call").run();
        age(tree);
        Nobody.keepFromWriting(tree.home, temp);
        Nobody.keepFromWriting(tree.home.resolve("target"), temp);

        Ended ran =
                Nobody.postern(tree, "call").with("JAVA_HOME", tree.fakeJdk()).run();

        assertThat(ran.out()).as("%s", ran).isEqualTo("ran call\n");
        assertThat(tree.builds()).isEqualTo(1);
    }

    private ScriptTree sources(String step) throws IOException {
        return ScriptTree.sources(temp.resolve("a source tree"), step);
    }

    private static Path lock(ScriptTree tree) {
        return tree.home.resolve("target/.build-lock");
    }

    private static void age(ScriptTree tree) throws IOException {
        Files.setLastModifiedTime(tree.jar(), FileTime.fromMillis(1_000_000_000_000L));
    }
}
