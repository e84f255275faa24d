package dev.postern.natives;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open directory. Every name is looked up in this very directory, whatever becomes of its path, and no
/// symbolic link is followed. A name is one component: neither a path nor `.` or `..`. Confined to one thread.
///
/// Faults arrive as the usual subclasses of [java.nio.file.FileSystemException].
public interface Directory extends AutoCloseable {
    /// Opens the directory at `path`, following links on the way.
    ///
    /// Where functions of the system can be called, opening and looking are one step each on the open directory.
    /// Where they can't (no foreign-function API, native access denied, not Linux on x86-64 or AArch64), the JDK
    /// is used by path instead. The checks are the same, but something that took a file's place between the look
    /// and the opening is noticed only afterwards, and opening a named pipe that did so may hang. Only our own
    /// user could do that in a directory that is ours alone.
    static Directory open(Path path) throws IOException {
        return NativeDirectory.available() ? NativeDirectory.openAt(path) : PortableDirectory.openAt(path);
    }

    FileStatus status() throws IOException;

    /// The status of what has this name, or null when nothing has.
    @Nullable
    FileStatus status(String name) throws IOException;

    /// Opens a directory in this one; refuses a symbolic link to one.
    Directory openDirectory(String name) throws IOException;

    /// Opens for reading without ever waiting: a named pipe opens at once, its status tells what it is.
    OpenFile openForReading(String name) throws IOException;

    /// Makes and opens a file for writing, mode 0600 from its first moment. Refuses when anything has that name.
    OpenFile create(String name) throws IOException;

    /// Makes a directory with mode 0700.
    void makeDirectory(String name) throws IOException;

    /// Renames inside this directory, in one step, replacing what has the name `to`.
    void rename(String from, String to) throws IOException;

    /// Removes a name that is not a directory's; of a symbolic link, the link.
    void remove(String name) throws IOException;

    /// Returns when names made and removed here are on disk.
    void sync() throws IOException;

    /// The names in this directory, sorted, without `.` and `..`.
    List<String> names() throws IOException;

    @Override
    void close() throws IOException;

    /// An open file. Confined to one thread.
    interface OpenFile extends AutoCloseable {
        FileStatus status() throws IOException;

        /// The bytes from the current place on, up to `most` of them.
        byte[] read(int most) throws IOException;

        void write(byte[] bytes) throws IOException;

        /// Returns when what was written is on disk.
        void sync() throws IOException;

        @Override
        void close() throws IOException;
    }
}
