package dev.postern.secret.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.natives.Directory;
import dev.postern.natives.Users;
import dev.postern.secret.source.CredentialStore.Reading;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The kinds of files that only other programs can make.
@Tag("SEC-2")
@Tag("K31")
@Timeout(20)
class CredentialStoreIT {
    private static final String GOOD = "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"}";

    @TempDir
    Path data;

    private Path auth;
    private Path file;

    @BeforeEach
    void makeDirectories() throws IOException {
        auth = Files.createDirectory(data.resolve("auth"));
        Files.setPosixFilePermissions(auth, PosixFilePermissions.fromString("rwx------"));
        file = auth.resolve("github.json");
    }

    @Test
    void doesNotHangOnANamedPipe() throws Exception {
        run("mkfifo", "-m", "600", file.toString());

        assertRefused(new CredentialStore(data, () -> null), "is a named pipe");
    }

    @Test
    void doesNotHangOnANamedPipeThatTookThePlaceOfTheFile() throws Exception {
        put();
        var store = new CredentialStore(
                data,
                () -> null,
                path -> new Disturbed(Directory.open(path), Moment.BEFORE_OPENING, () -> {
                    Files.delete(file);
                    run("mkfifo", "-m", "600", file.toString());
                }),
                Users.effectiveId());

        assertRefused(store, "was replaced");
    }

    @Test
    void refusesADevice() throws Exception {
        assumeTrue(Users.effectiveId() == 0, "making a device takes root");
        run("mknod", "-m", "600", file.toString(), "c", "1", "5");

        assertRefused(new CredentialStore(data, () -> null), "is a character device");
    }

    @Test
    void refusesASocket() throws IOException {
        var address = UnixDomainSocketAddress.of(file);
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(address);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

            assertRefused(new CredentialStore(data, () -> null), "is a socket");
        }
    }

    @Test
    void refusesAFileOfAnotherUser() throws Exception {
        assumeTrue(Users.effectiveId() == 0, "giving a file away takes root");
        put();
        run("chown", "65534", file.toString());

        assertRefused(new CredentialStore(data, () -> null), "belongs to the user with id 65534");
    }

    @Test
    void refusesAnAuthDirectoryOfAnotherUser() throws Exception {
        assumeTrue(Users.effectiveId() == 0, "giving a directory away takes root");
        put();
        run("chown", "65534", auth.toString());

        assertRefused(new CredentialStore(data, () -> null), "sudo chown 0 " + auth);
    }

    @Test
    void refusesADataDirectoryOfAnotherUser() throws Exception {
        assumeTrue(Users.effectiveId() == 0, "giving a directory away takes root");
        put();
        run("chown", "65534", data.toString());

        assertRefused(new CredentialStore(data, () -> null), data + " belongs to the user with id 65534");
    }

    private void put() throws IOException {
        Files.writeString(file, GOOD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void assertRefused(CredentialStore store, String text) {
        assertThat(store.read("github"))
                .isInstanceOfSatisfying(
                        Reading.Refused.class,
                        refused -> assertThat(refused.problem().message() + " "
                                        + refused.problem().next())
                                .contains(text)
                                .doesNotContain("hunter2"));
    }

    private static void run(String... command) throws IOException {
        try {
            var process = new ProcessBuilder(List.of(command)).inheritIO().start();
            assertThat(process.waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
