package dev.postern.natives;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A directory held by its file descriptor.
final class NativeDirectory implements Directory {
    private static final int OWNER_READS_AND_WRITES = 0x180;
    private static final int OWNER_ENTERS = 0x1C0;

    private final Path path;
    private final int descriptor;
    private boolean closed;

    private NativeDirectory(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /// Loading `Libc` fails where the foreign-function API is missing or denied.
    static boolean available() {
        return Availability.AVAILABLE;
    }

    static NativeDirectory openAt(Path path) throws IOException {
        try {
            int flags = Libc.READ | Libc.DIRECTORY | Libc.CLOSE_ON_EXEC | Libc.NO_WAITING;
            return new NativeDirectory(path, Libc.open(Libc.AT_CWD, path.toString(), flags, 0));
        } catch (SystemFault e) {
            throw e.asException("");
        }
    }

    @Override
    public FileStatus status() throws IOException {
        return run(() -> Libc.status(descriptor));
    }

    @Override
    public @Nullable FileStatus status(String name) throws IOException {
        checkName(name);
        try {
            return Libc.status(descriptor, name);
        } catch (SystemFault e) {
            if (e.isMissing()) {
                return null;
            }
            throw e.asException(path.toString());
        }
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        int flags = Libc.READ | Libc.DIRECTORY | Libc.NO_FOLLOWING | Libc.CLOSE_ON_EXEC | Libc.NO_WAITING;
        return new NativeDirectory(path.resolve(name), open(name, flags, 0));
    }

    @Override
    public OpenFile openForReading(String name) throws IOException {
        int flags = Libc.READ | Libc.NO_FOLLOWING | Libc.NO_WAITING | Libc.NO_TERMINAL | Libc.CLOSE_ON_EXEC;
        return new NativeFile(path.resolve(name), open(name, flags, 0));
    }

    @Override
    public OpenFile create(String name) throws IOException {
        int flags = Libc.WRITE | Libc.CREATE_NEW | Libc.NO_FOLLOWING | Libc.CLOSE_ON_EXEC;
        int file = open(name, flags, OWNER_READS_AND_WRITES);
        try {
            Libc.changeMode(file, OWNER_READS_AND_WRITES);
        } catch (SystemFault e) {
            Libc.close(file);
            throw e.asException(path.toString());
        }
        return new NativeFile(path.resolve(name), file);
    }

    @Override
    public void makeDirectory(String name) throws IOException {
        checkName(name);
        run(() -> {
            Libc.makeDirectory(descriptor, name, OWNER_ENTERS);
            return this;
        });
        try (var made = (NativeDirectory) openDirectory(name)) {
            run(() -> {
                Libc.changeMode(made.descriptor, OWNER_ENTERS);
                return this;
            });
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        checkName(from);
        checkName(to);
        run(() -> {
            Libc.rename(descriptor, from, to);
            return this;
        });
    }

    @Override
    public void remove(String name) throws IOException {
        checkName(name);
        run(() -> {
            Libc.remove(descriptor, name);
            return this;
        });
    }

    @Override
    public void sync() throws IOException {
        run(() -> {
            Libc.sync(descriptor);
            return this;
        });
    }

    @Override
    public List<String> names() throws IOException {
        return namesIn(path);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }

    static List<String> namesIn(Path path) throws IOException {
        var names = new ArrayList<String>();
        try (var entries = Files.newDirectoryStream(path)) {
            for (var entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
        }
        names.sort(null);
        return names;
    }

    static void checkName(String name) {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not the name of a file in a directory");
        }
    }

    private int open(String name, int flags, int mode) throws IOException {
        checkName(name);
        return run(() -> Libc.open(descriptor, name, flags, mode));
    }

    private <T> T run(Work<T> work) throws IOException {
        return run(path, work);
    }

    private static <T> T run(Path path, Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (SystemFault e) {
            throw e.asException(path.toString());
        }
    }

    private interface Work<T> {
        T run() throws SystemFault;
    }

    private static final class Availability {
        static final boolean AVAILABLE = find();

        private static boolean find() {
            try {
                return Libc.usable();
            } catch (LinkageError | IllegalCallerException | UnsupportedOperationException e) {
                return false;
            }
        }
    }

    private static final class NativeFile implements OpenFile {
        private final Path path;
        private final int descriptor;
        private boolean closed;

        NativeFile(Path path, int descriptor) {
            this.path = path;
            this.descriptor = descriptor;
        }

        @Override
        public FileStatus status() throws IOException {
            return run(path, () -> Libc.status(descriptor));
        }

        @Override
        public byte[] read(int most) throws IOException {
            var bytes = new ByteArrayOutputStream();
            while (bytes.size() < most) {
                int rest = most - bytes.size();
                var chunk = run(path, () -> Libc.read(descriptor, rest));
                if (chunk.length == 0) {
                    break;
                }
                bytes.write(chunk, 0, chunk.length);
            }
            return bytes.toByteArray();
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            run(path, () -> {
                Libc.write(descriptor, bytes);
                return this;
            });
        }

        @Override
        public void sync() throws IOException {
            run(path, () -> {
                Libc.sync(descriptor);
                return this;
            });
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Libc.close(descriptor);
            }
        }
    }
}
