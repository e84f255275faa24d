package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("WRK-1")
class LogTailTest {
    @TempDir
    private Path dir;

    private final StringBuilder read = new StringBuilder();
    private Path log;

    @BeforeEach
    void writes() throws IOException {
        log = dir.resolve("worker.log");
        write("one\ntwo\n");
    }

    private void write(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void rotate() throws IOException {
        for (int part = 4; part >= 1; part--) {
            var from = part == 1 ? log : dir.resolve("worker.log." + (part - 1));
            if (Files.exists(from)) {
                Files.move(from, dir.resolve("worker.log." + part), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private LogTail tail() throws IOException {
        return new LogTail(log, bytes -> read.append(new String(bytes, StandardCharsets.UTF_8)));
    }

    @Test
    void finishesEveryPartThatWasRenamedBeforeItGoesOn() throws IOException {
        try (var tail = tail()) {
            tail.skipTo(1, 1_000);
            tail.read();
            assertThat(read).hasToString("two\n");

            write("three\n");
            rotate();
            write("a part of its own that is longer than what was before\n");
            rotate();
            write("four\n");
            tail.read();
            tail.read();
            write("five\n");
            tail.read();
        }
        assertThat(read).hasToString("two\nthree\na part of its own that is longer than what was before\nfour\nfive\n");
    }

    @Test
    void waitsForThePartThatIsAboutToBeBegun() throws IOException {
        try (var tail = tail()) {
            tail.read();
            rotate();
            tail.read();
            write("three\n");
            tail.read();
        }
        assertThat(read).hasToString("one\ntwo\nthree\n");
    }
}
