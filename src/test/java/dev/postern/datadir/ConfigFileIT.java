package dev.postern.datadir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.postern.base.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileIT {
    @TempDir
    Path temp;

    @Test
    @Tag("CFG-1")
    void doesNotHangOnAFifoInPlaceOfTheFile() throws IOException, InterruptedException {
        long user = FileFacts.of(temp).owner();
        var directory = new DataDirectory(temp.resolve("data"), () -> user);
        directory.create();
        var mkfifo = new ProcessBuilder("mkfifo", directory.config().toString()).start();
        assertThat(mkfifo.waitFor()).isZero();

        var loaded = assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> new ConfigFile(directory).load(name -> null, temp));

        assertThat(loaded)
                .isInstanceOfSatisfying(
                        ConfigFile.Loaded.Unreadable.class,
                        unreadable -> assertThat(unreadable.problem().code()).isEqualTo(ErrorCode.CONFIG_UNREADABLE));
    }
}
