package dev.postern.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The worker's log: `logs/worker.log`, at most 10 MiB, and four older parts (WRK-1), mode 0600. Lines are
/// words of ours: names of commands, never what was given to them or came out. A log that can't be written
/// stops nothing. Safe for use by many threads.
final class WorkerLog implements AutoCloseable {
    private static final long MOST_BYTES = 10 << 20;
    private static final int PARTS = 5;
    private static final int LONGEST = 2_000;

    private final Path file;
    private final InstantSource time;
    private final long most;
    private @Nullable OutputStream out;
    private long written;

    WorkerLog(Path file, InstantSource time) {
        this(file, time, MOST_BYTES);
    }

    WorkerLog(Path file, InstantSource time, long most) {
        this.file = file;
        this.time = time;
        this.most = most;
    }

    static Path in(Path dataDirectory) {
        return dataDirectory.resolve("logs/worker.log");
    }

    synchronized void line(String event) {
        var text = event.length() > LONGEST ? event.substring(0, LONGEST) + "…" : event;
        var line = (time.instant().truncatedTo(ChronoUnit.MILLIS) + " " + text.replace('\n', ' ') + "\n")
                .getBytes(StandardCharsets.UTF_8);
        try {
            if (out != null && written + line.length > most) {
                close();
                rotate();
            }
            if (out == null) {
                out = open();
            }
            out.write(line);
            written += line.length;
        } catch (IOException e) {
            close();
        }
    }

    private OutputStream open() throws IOException {
        makePrivateFile(file);
        written = Files.size(file);
        if (written >= most) {
            rotate();
            makePrivateFile(file);
            written = 0;
        }
        return Files.newOutputStream(file, StandardOpenOption.APPEND);
    }

    private void rotate() throws IOException {
        for (int part = PARTS - 1; part >= 1; part--) {
            var from = part == 1 ? file : part(part - 1);
            if (Files.exists(from)) {
                Files.move(from, part(part), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path part(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    /// Makes the file, and its directory, where they are missing: ours alone, whatever the umask.
    static void makePrivateFile(Path file) throws IOException {
        var directory = file.resolveSibling(".").normalize();
        if (!Files.isDirectory(directory)) {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.exists(file)) {
            Files.newByteChannel(
                            file,
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                    .close();
        }
    }

    @Override
    public synchronized void close() {
        var open = out;
        out = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // What was written stays.
            }
        }
    }
}
