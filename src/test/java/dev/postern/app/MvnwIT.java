package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.ScriptRun.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mvnw`: which JDK and which Maven it takes. The Maven it fetches comes from a file, and tells how it was called.
class MvnwIT {
    private static final String TELLS = """
            #!/bin/sh
            echo "fetched Maven with $JAVA_HOME"
            for argument; do echo "[$argument]"; done
            """;

    @TempDir
    private Path temp;

    private ScriptTree tree;
    private Path archive;

    @BeforeEach
    void laysOutAProjectWhoseMavenIsAFile() throws IOException {
        tree = ScriptTree.bare(temp.resolve("a project, by é"));
        Files.writeString(tree.home.resolve("pom.xml"), "<project/>");
        ScriptTree.jdk(tree.fakeJdk(), "25.0.1", "exit 99\n");
        archive = temp.resolve("apache-maven-9.8.7-bin.zip");
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream out = new ZipOutputStream(file)) {
            out.putNextEntry(new ZipEntry("apache-maven-9.8.7/bin/mvn"));
            out.write(TELLS.getBytes(StandardCharsets.UTF_8));
        }
        properties(sha256(archive));
        // The one that a shell would find is too old.
        ScriptTree.script(temp.resolve("bin/mvn"), "echo Apache Maven 3.6.3\n");
    }

    @Test
    void fetchesThePinnedMavenOnceWhereTheInstalledOneIsTooOld() throws IOException {
        Ended first = mvnw("-q", "two words").run();
        Files.delete(archive);
        Ended second = mvnw("-q", "two words").run();

        assertThat(first.out()).isEqualTo("fetched Maven with %s\n[-q]\n[two words]\n".formatted(tree.fakeJdk()));
        assertThat(first.err()).contains("fetching file:");
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).isEmpty();
    }

    @Test
    void keepsTheDownloadWhereTheMavenWrapperWould() throws IOException {
        mvnw().run();

        Path place = dists().resolve("apache-maven-9.8.7");
        String hash = Integer.toHexString(("file://" + archive).hashCode());
        assertThat(place.resolve(hash).resolve("bin/mvn")).isExecutable();
        assertThat(children(place)).containsExactly(hash);
    }

    @Test
    void refusesADownloadWithAnotherSum() throws IOException {
        properties("0".repeat(64));

        Ended ran = mvnw().run();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("has not the SHA-256");
        assertThat(children(dists().resolve("apache-maven-9.8.7"))).isEmpty();
    }

    @Test
    void leavesNothingWhenTheDownloadFails() throws IOException {
        Files.delete(archive);

        Ended ran = mvnw().run();

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("could not fetch file:", "install Maven 3.8.6 or newer");
        assertThat(children(dists().resolve("apache-maven-9.8.7"))).isEmpty();
    }

    @Test
    void usesAnInstalledMavenThatIsNewEnough() throws IOException {
        for (String version : List.of("3.8.6", "3.10.0", "4.0.0-rc-4")) {
            ScriptTree.script(temp.resolve("bin/mvn"), """
                    if [ "$1" = -v ]; then
                      printf '\\033[1mApache Maven %s\\033[m (abc)\\n'
                    else
                      echo "installed with $JAVA_HOME"
                    fi
                    """.formatted(version));

            assertThat(mvnw("verify").run().out()).as(version).isEqualTo("installed with " + tree.fakeJdk() + "\n");
        }
    }

    @Test
    void readsTheVersionOfAnInstalledMavenFromItsJarWithoutStartingIt() throws IOException {
        ScriptTree.script(temp.resolve("maven/bin/mvn"), "echo \"installed $*\"\n");
        Files.createDirectories(temp.resolve("maven/lib"));
        Files.createFile(temp.resolve("maven/lib/maven-core-3.9.9.jar"));
        Files.delete(temp.resolve("bin/mvn"));
        Files.createSymbolicLink(temp.resolve("bin/mvn"), Path.of("../maven/bin/mvn"));

        assertThat(mvnw("verify").run().out()).isEqualTo("installed verify\n");
    }

    @Test
    void meansItsOwnProjectWhereThereIsNone() throws IOException {
        Files.createSymbolicLink(temp.resolve("linked mvnw"), tree.home.resolve("mvnw"));
        Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));

        Ended ran = environment(ScriptRun.of("../linked mvnw", "verify"))
                .in(elsewhere)
                .run();

        assertThat(ran.out()).as("%s", ran).endsWith("[-f]\n[" + tree.home + "/pom.xml]\n[verify]\n");
    }

    @Test
    void goesWhereItIsToldFromAnywhere() throws IOException {
        Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));

        Ended ran = environment(ScriptRun.of(tree.home.resolve("mvnw"), "--file", "/x/pom.xml", "-ff"))
                .in(elsewhere)
                .run();

        assertThat(ran.out()).as("%s", ran).endsWith("[--file]\n[/x/pom.xml]\n[-ff]\n");
    }

    @Test
    void passesOverJavaThatIsTooOldAndSaysWhenThereIsNoOther() throws IOException {
        ScriptTree.jdk(temp.resolve("old"), "17.0.9", "exit 99\n");
        Path home = Files.createDirectories(temp.resolve("home/.sdkman/candidates/java"));
        Path search = tree.home.resolve("deploy/find-jdk.sh");
        // Newer than any JDK this machine may have.
        Files.writeString(search, Files.readString(search).replace("jdk_minimum=25", "jdk_minimum=98"));

        Ended without = mvnw().with("JAVA_HOME", temp.resolve("old")).run();
        ScriptTree.jdk(home.resolve("98-tem"), "98-ea", "exit 99\n");
        Ended with = mvnw().with("JAVA_HOME", temp.resolve("old")).run();

        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.out()).isEmpty();
        assertThat(without.err())
                .contains("no JDK 98 or newer", temp.resolve("old") + " (JAVA_HOME): Java 17.0.9", "Install one");
        assertThat(with.out()).as("%s", with).startsWith("fetched Maven with " + home.resolve("98-tem"));
    }

    @Test
    void findsTheJdkBehindAVersionManagersStandIn() throws IOException {
        Path real = temp.resolve("managed");
        ScriptTree.jdk(real, "25.0.2", """
                echo "    java.home = %s"
                echo "    java.version = 25.0.2"
                """.formatted(real));
        ScriptTree.script(temp.resolve("bin/java"), "exec '%s/bin/java' \"$@\"\n".formatted(real));

        Ended ran = mvnw().without("JAVA_HOME").run();

        assertThat(ran.out()).as("%s", ran).startsWith("fetched Maven with " + real);
    }

    private ScriptRun mvnw(Object... arguments) {
        Object[] command = Stream.concat(Stream.of(tree.home.resolve("mvnw")), Stream.of(arguments))
                .toArray();
        return environment(ScriptRun.of(command)).in(tree.home);
    }

    private ScriptRun environment(ScriptRun run) {
        return run.with("PATH", temp.resolve("bin") + ":/usr/bin:/bin")
                .with("HOME", temp.resolve("home"))
                .with("JAVA_HOME", tree.fakeJdk());
    }

    private Path dists() {
        return temp.resolve("home/.m2/wrapper/dists");
    }

    private void properties(String sum) throws IOException {
        Path file = tree.home.resolve(".mvn/wrapper/maven-wrapper.properties");
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, """
                distributionType=only-script
                distributionUrl=file://%s
                distributionSha256Sum=%s
                """.formatted(archive, sum));
    }

    private static List<String> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.map(child -> directory.relativize(child).toString()).toList();
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
