package dev.postern.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("SEC-2")
class UsersTest {
    @Test
    void ownsTheFilesItMakes(@TempDir Path directory) throws IOException {
        var file = Files.createFile(directory.resolve("f"));

        assertThat(Users.effectiveId()).isEqualTo(((Number) Files.getAttribute(file, "unix:uid")).longValue());
    }

    @Test
    void readsTheEffectiveIdAndNotTheRealOne() throws IOException {
        assertThat(Users.effectiveIdIn("Name:\tx\nUid:\t1000\t0\t0\t0\nGid:\t7\t7\t7\t7\n"))
                .isZero();
        assertThat(Users.effectiveIdIn("Uid:\t0\t4294967294\t1\t2\n")).isEqualTo(4_294_967_294L);
    }

    @Test
    void refusesAStatusWithoutTheLine() {
        assertThatThrownBy(() -> Users.effectiveIdIn("Name:\tx\n")).isInstanceOf(IOException.class);
    }

    @Test
    void agreesWithTheOwnerOfANewFile() {
        assertThat(Users.ask()).isEqualTo(Users.effectiveId());
    }
}
