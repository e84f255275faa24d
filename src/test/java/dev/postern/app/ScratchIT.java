package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.natives.ProcessTable;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What demonstrations leave that were killed.
@ExtendWith(LeavesNothingBehind.class)
@Tag("CLI-7")
class ScratchIT {
    @TempDir
    private Path dir;

    private Path place;

    @BeforeEach
    void makesThePlace() throws IOException {
        place = Files.createDirectory(dir.resolve("tmp"));
    }

    private List<String> left() throws IOException {
        try (var names = Files.list(place)) {
            return names.map(each -> String.valueOf(each.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private Path directory(String name, String owner) throws IOException {
        var made = Files.createDirectory(
                place.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(made.resolve("owner"), owner + "\n");
        Files.createDirectory(made.resolve("auth"));
        return made;
    }

    private static String dead() throws Exception {
        var process = new ProcessBuilder("sleep", "300").start();
        var identity = Objects.requireNonNull(ProcessTable.find(process.pid()));
        process.destroyForcibly().waitFor();
        return identity.text();
    }

    @Test
    void onlyWhatAProvablyDeadProcessMadeIsRemoved() throws Exception {
        var dead = dead();
        var elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("owner"), dead);
        var scratch = new Scratch(place);
        var own = scratch.make();
        directory("postern-quickstart-dead", dead);
        directory("postern-quickstart-garbage", "rubbish");
        directory("postern-quickstart-pid-only", dead.split(" ", 2)[0]);
        directory("another-dead", dead);
        Files.delete(directory("postern-quickstart-silent", "").resolve("owner"));
        Files.setPosixFilePermissions(
                directory("postern-quickstart-open", dead), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createSymbolicLink(place.resolve("postern-quickstart-link"), elsewhere);
        var pipe = directory("postern-quickstart-pipe", "").resolve("owner");
        Files.delete(pipe);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        scratch.sweep();

        assertThat(left())
                .containsExactlyInAnyOrder(
                        String.valueOf(own.getFileName()),
                        "another-dead",
                        "postern-quickstart-garbage",
                        "postern-quickstart-link",
                        "postern-quickstart-open",
                        "postern-quickstart-pid-only",
                        "postern-quickstart-pipe",
                        "postern-quickstart-silent");
        assertThat(elsewhere.resolve("owner")).exists();
    }

    @Test
    void theNextDemonstrationRemovesWhatAKilledOneLeft() throws Exception {
        var kit = new WorkerKit(dir.resolve("data"));
        var first = kit.local("quickstart")
                .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + place)
                .start();
        await().atMost(WorkerKit.PATIENCE)
                .until(() -> left().stream()
                        .anyMatch(name -> Files.exists(place.resolve(name).resolve("config.json"))));
        first.process().destroyForcibly();
        assertThat(first.end().exit()).isEqualTo(137);
        assertThat(left()).anyMatch(name -> name.startsWith("postern-quickstart-"));

        var second = kit.local("quickstart")
                .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + place)
                .run();

        assertThat(second.exit()).as("%s", second).isZero();
        assertThat(left()).noneMatch(name -> name.startsWith("postern-quickstart-"));
    }
}
