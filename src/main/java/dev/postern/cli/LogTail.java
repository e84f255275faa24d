package dev.postern.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads on in a log whose parts are renamed when they are full: `.1` is the newest of the older ones. A part is
/// read to its end before the next is begun.
final class LogTail implements AutoCloseable {
    private static final int PARTS = 5;
    private static final int CHUNK = 1 << 20;

    private final Path log;
    private final Consumer<byte[]> lines;
    private RandomAccessFile file;
    private Object key;

    /// Begins at the beginning of the current part.
    ///
    /// @param lines takes what is read, piece by piece
    LogTail(Path log, Consumer<byte[]> lines) throws IOException {
        this.log = log;
        this.lines = lines;
        this.file = new RandomAccessFile(log.toFile(), "r");
        this.key = log;
        var named = key(log);
        if (named != null) {
            this.key = named;
        }
    }

    /// Goes to `lines` lines before the end, no farther back than `most` bytes.
    void skipTo(int lines, int most) throws IOException {
        long end = file.length();
        byte[] bytes = new byte[(int) Math.min(end, most)];
        file.seek(end - bytes.length);
        file.readFully(bytes);
        int from = bytes.length;
        for (int found = 0; from > 0 && lines > 0; from--) {
            if (bytes[from - 1] == '\n' && from < bytes.length && ++found == lines) {
                break;
            }
        }
        file.seek(end - bytes.length + from);
    }

    /// Hands on all that there is by now.
    void read() throws IOException {
        rest();
        var current = key(log);
        if (current == null || current.equals(key)) {
            return;
        }
        // Nobody writes to a part that has been renamed: this is its end.
        rest();
        int older = PARTS - 1;
        while (older > 0 && !key.equals(key(part(older)))) {
            older--;
        }
        for (int part = older - 1; part >= 1; part--) {
            open(part(part));
            rest();
        }
        open(log);
        rest();
    }

    private Path part(int number) {
        return log.resolveSibling(log.getFileName() + "." + number);
    }

    private void open(Path part) throws IOException {
        var opened = new RandomAccessFile(part.toFile(), "r");
        file.close();
        file = opened;
        var named = key(part);
        key = named == null ? part : named;
    }

    private void rest() throws IOException {
        if (file.length() < file.getFilePointer()) {
            // Somebody has emptied it.
            file.seek(0);
        }
        byte[] bytes = new byte[CHUNK];
        int length = file.read(bytes);
        while (length > 0) {
            lines.accept(Arrays.copyOf(bytes, length));
            length = file.read(bytes);
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
