package dev.postern.natives;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.natives.FileStatus.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One contract, kept by both ways of handling directories.
@Tag("SEC-2")
@Timeout(20)
class DirectoryTest {
    @TempDir
    Path root;

    record Way(String name, Opening opening) {
        @Override
        public String toString() {
            return name;
        }
    }

    interface Opening {
        Directory open(Path path) throws IOException;
    }

    static Stream<Way> ways() {
        return Stream.of(new Way("native", NativeDirectory::openAt), new Way("portable", PortableDirectory::openAt));
    }

    @Test
    void isNativeHere() {
        assertThat(NativeDirectory.available()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void tellsTheStatusOfAFile(Way way) throws IOException {
        var file = Files.writeString(root.resolve("f"), "hello");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r----x"));
        Files.createLink(root.resolve("g"), file);
        try (var directory = way.opening().open(root)) {
            var status = requireNonNull(directory.status("f"));

            assertThat(status.kind()).isEqualTo(Kind.REGULAR);
            assertThat(status.permissions()).isEqualTo(0x1A1);
            assertThat(status.links()).isEqualTo(2);
            assertThat(status.size()).isEqualTo(5);
            assertThat(status.owner()).isEqualTo(Users.effectiveId());
            assertThat(status.inode()).isEqualTo(((Number) Files.getAttribute(file, "unix:ino")).longValue());
            assertThat(status.isSameFileAs(requireNonNull(directory.status("g"))))
                    .isTrue();
            try (var opened = directory.openForReading("f")) {
                assertThat(opened.status()).isEqualTo(status);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void doesNotFollowALinkWhenItLooks(Way way) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root);
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        try (var directory = way.opening().open(root)) {
            assertThat(requireNonNull(directory.status("link")).kind()).isEqualTo(Kind.SYMBOLIC_LINK);
            assertThat(requireNonNull(directory.status("dangling")).kind()).isEqualTo(Kind.SYMBOLIC_LINK);
            assertThat(directory.status("missing")).isNull();
            assertThat(directory.status().kind()).isEqualTo(Kind.DIRECTORY);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void doesNotFollowALinkWhenItOpens(Way way) throws IOException {
        Files.writeString(root.resolve("f"), "secret");
        Files.createDirectory(root.resolve("d"));
        Files.createSymbolicLink(root.resolve("file-link"), Path.of("f"));
        Files.createSymbolicLink(root.resolve("directory-link"), Path.of("d"));
        try (var directory = way.opening().open(root)) {
            assertThatThrownBy(() -> directory.openForReading("file-link")).isInstanceOf(FileSystemException.class);
            assertThatThrownBy(() -> directory.openDirectory("directory-link")).isInstanceOf(FileSystemException.class);
            assertThatThrownBy(() -> directory.openDirectory("f")).isInstanceOf(NotDirectoryException.class);
            assertThatThrownBy(() -> directory.openForReading("missing")).isInstanceOf(NoSuchFileException.class);
            directory.openDirectory("d").close();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void writesANewFileForItsOwnerOnly(Way way) throws IOException {
        try (var directory = way.opening().open(root)) {
            try (var file = directory.create("new")) {
                file.write("hello".getBytes(StandardCharsets.UTF_8));
                file.sync();
            }
            directory.makeDirectory("d");
            directory.sync();

            assertThat(requireNonNull(directory.status("new")).permissions()).isEqualTo(0x180);
            assertThat(requireNonNull(directory.status("d")).permissions() & 0x1FF)
                    .isEqualTo(0x1C0);
            assertThatThrownBy(() -> directory.create("new")).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> directory.makeDirectory("d")).isInstanceOf(FileAlreadyExistsException.class);
            try (var file = directory.openForReading("new")) {
                assertThat(file.read(3)).isEqualTo("hel".getBytes(StandardCharsets.UTF_8));
                assertThat(file.read(100)).isEqualTo("lo".getBytes(StandardCharsets.UTF_8));
                assertThat(file.read(100)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void doesNotWriteThroughALink(Way way) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), Path.of("target"));
        try (var directory = way.opening().open(root)) {
            assertThatThrownBy(() -> directory.create("link")).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(root.resolve("target")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void renamesAndRemoves(Way way) throws IOException {
        Files.writeString(root.resolve("a"), "new");
        Files.writeString(root.resolve("b"), "old");
        Files.createDirectory(root.resolve("d"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("b"));
        try (var directory = way.opening().open(root)) {
            directory.rename("a", "b");
            directory.remove("link");

            assertThat(directory.names()).containsExactly("b", "d");
            assertThat(root.resolve("b")).hasContent("new");
            assertThatThrownBy(() -> directory.remove("missing")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> directory.remove("d")).isInstanceOf(FileSystemException.class);
            assertThat(root.resolve("d")).isDirectory();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void refusesPathsAsNames(Way way) throws IOException {
        try (var directory = way.opening().open(root)) {
            for (var name : new String[] {"", ".", "..", "a/b", "/etc", "a\0"}) {
                assertThatThrownBy(() -> directory.status(name)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> directory.remove(name)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> directory.openForReading(name)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void refusesWhatIsNoDirectory(Way way) throws IOException {
        var file = Files.createFile(root.resolve("f"));

        assertThatThrownBy(() -> way.opening().open(file)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> way.opening().open(root.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void staysWithTheOpenDirectoryWhenItsPathIsTakenByAnother() throws IOException {
        var place = Files.createDirectory(root.resolve("place"));
        Files.writeString(place.resolve("f"), "right");
        try (var directory = NativeDirectory.openAt(place)) {
            Files.move(place, root.resolve("moved"));
            Files.createDirectory(place);
            Files.writeString(place.resolve("f"), "wrong");
            try (var file = directory.openForReading("f")) {
                assertThat(file.read(10)).isEqualTo("right".getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
