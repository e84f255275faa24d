package dev.postern.natives;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A directory held by its path alone, for where functions of the system can't be called. See [Directory#open]
/// for what that leaves open.
final class PortableDirectory implements Directory {
    private final Path path;

    private PortableDirectory(Path path) {
        this.path = path;
    }

    static PortableDirectory openAt(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            if (Files.exists(path)) {
                throw new NotDirectoryException(path.toString());
            }
            throw new NoSuchFileException(path.toString());
        }
        return new PortableDirectory(path.toRealPath());
    }

    @Override
    public FileStatus status() throws IOException {
        return statusOf(path);
    }

    @Override
    public @Nullable FileStatus status(String name) throws IOException {
        try {
            return statusOf(in(name));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        if (statusOf(in(name)).kind() != FileStatus.Kind.DIRECTORY) {
            throw new NotDirectoryException(in(name).toString());
        }
        return new PortableDirectory(in(name));
    }

    /// Looks before it opens, and opens nothing but regular files: the JDK would wait for a named pipe's writer.
    @Override
    public OpenFile openForReading(String name) throws IOException {
        var file = in(name);
        var kind = statusOf(file).kind();
        if (kind != FileStatus.Kind.REGULAR) {
            throw new FileSystemException(file.toString(), null, "is " + kind.words());
        }
        return new PortableFile(
                file, FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
    }

    @Override
    public OpenFile create(String name) throws IOException {
        var mode = PosixFilePermissions.fromString("rw-------");
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var channel = FileChannel.open(in(name), options, PosixFilePermissions.asFileAttribute(mode));
        Files.setPosixFilePermissions(in(name), mode);
        return new PortableFile(in(name), channel);
    }

    @Override
    public void makeDirectory(String name) throws IOException {
        var mode = PosixFilePermissions.fromString("rwx------");
        Files.createDirectory(in(name), PosixFilePermissions.asFileAttribute(mode));
        Files.setPosixFilePermissions(in(name), mode);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(in(from), in(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void remove(String name) throws IOException {
        if (statusOf(in(name)).kind() == FileStatus.Kind.DIRECTORY) {
            throw new FileSystemException(in(name).toString(), null, "is a directory");
        }
        Files.delete(in(name));
    }

    @Override
    public void sync() throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public List<String> names() throws IOException {
        return NativeDirectory.namesIn(path);
    }

    @Override
    public void close() {}

    private Path in(String name) {
        NativeDirectory.checkName(name);
        return path.resolve(name);
    }

    private static FileStatus statusOf(Path file) throws IOException {
        Map<String, Object> seen = Files.readAttributes(
                file, "unix:mode,ino,dev,uid,nlink,size,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
        int mode = number(seen, "mode").intValue();
        return new FileStatus(
                FileStatus.Kind.of(mode),
                number(seen, "dev").longValue(),
                number(seen, "ino").longValue(),
                mode & 0xFFF,
                Integer.toUnsignedLong(number(seen, "uid").intValue()),
                number(seen, "nlink").longValue(),
                number(seen, "size").longValue(),
                nanos(seen, "lastModifiedTime"),
                nanos(seen, "ctime"));
    }

    private static Number number(Map<String, Object> seen, String key) {
        return seen.get(key) instanceof Number number ? number : -1;
    }

    private static long nanos(Map<String, Object> seen, String key) {
        return seen.get(key) instanceof FileTime time ? time.to(TimeUnit.NANOSECONDS) : -1;
    }

    private record PortableFile(Path path, FileChannel channel) implements OpenFile {
        @Override
        public FileStatus status() throws IOException {
            return statusOf(path);
        }

        @Override
        public byte[] read(int most) throws IOException {
            var buffer = ByteBuffer.allocate(most);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
            return Arrays.copyOf(buffer.array(), buffer.position());
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            var buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
