package dev.postern.datadir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.datadir.DataDirectory.Checked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("STO-1")
class DatabaseCheckTest {
    @TempDir
    Path temporary;

    private DataDirectory directory = new DataDirectory(Path.of("/"), () -> 0);
    private long user;

    @BeforeEach
    void makeDirectory() throws IOException {
        var path = Files.createDirectory(
                temporary.resolve("data"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        user = ((Integer) Files.getAttribute(path, "unix:uid")).longValue();
        directory = new DataDirectory(path, () -> user);
    }

    private void file(String mode) throws IOException {
        Files.writeString(directory.database(), "x");
        Files.setPosixFilePermissions(directory.database(), PosixFilePermissions.fromString(mode));
    }

    private ErrorCode refused(boolean toWrite) {
        return directory.checkDatabase(toWrite) instanceof Checked.Refused refused
                ? refused.problem().code()
                : ErrorCode.INTERNAL;
    }

    @Test
    void acceptsAFileOfOursAloneAndNone() throws IOException {
        assertThat(directory.checkDatabase(true)).isInstanceOf(Checked.Absent.class);
        file("rw-------");
        assertThat(directory.checkDatabase(true)).isInstanceOf(Checked.Ready.class);
        assertThat(directory.checkDatabase(false)).isInstanceOf(Checked.Ready.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw------x"})
    void refusesOneThatIsOpenToOthers(String mode) throws IOException {
        file(mode);

        assertThat(refused(false)).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }

    @Test
    @Tag("STO-3")
    void refusesToWriteOneThatIsReadOnly() throws IOException {
        file("r--------");

        assertThat(refused(true)).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
        assertThat(directory.checkDatabase(false)).isInstanceOf(Checked.Ready.class);
    }

    @Test
    void refusesOneThatCanNotBeRead() throws IOException {
        file("-w-------");

        assertThat(refused(false)).isEqualTo(ErrorCode.STORAGE_UNREADABLE);
    }

    @Test
    void refusesALinkWhereverItLeads() throws IOException {
        var elsewhere = Files.writeString(temporary.resolve("elsewhere"), "x");
        Files.createSymbolicLink(directory.database(), elsewhere);
        assertThat(refused(true)).isEqualTo(ErrorCode.DATADIR_UNSAFE);

        Files.delete(elsewhere);
        assertThat(refused(true)).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }

    @Test
    void refusesADirectory() throws IOException {
        Files.createDirectory(directory.database());

        assertThat(refused(true)).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }

    @Test
    void refusesOneOfAnotherUser() throws IOException {
        file("rw-------");
        // The directory is asked first, and is another's too.
        user++;

        assertThat(refused(true)).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(DatabaseCheck.of(directory.database(), user, true)).isInstanceOf(Checked.Refused.class);
    }

    @Test
    void refusesWhatIsInADirectoryThatMustNotBeUsed() throws IOException {
        file("rw-------");
        Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(refused(false)).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }
}
