package dev.postern.natives;

/// What the system says of a file at one moment, never of what a symbolic link points to.
///
/// @param permissions the permission bits and the set-id and sticky bits, as `chmod` writes them
/// @param links how many names the file has
/// @param modifiedNanos of the last change of the content, since the epoch
/// @param changedNanos of the last change of content or attributes, since the epoch; can't be set back
public record FileStatus(
        Kind kind,
        long device,
        long inode,
        int permissions,
        long owner,
        long links,
        long size,
        long modifiedNanos,
        long changedNanos) {

    /// What kind of file it is, with the word that messages use.
    public enum Kind {
        REGULAR("a regular file"),
        DIRECTORY("a directory"),
        SYMBOLIC_LINK("a symbolic link"),
        FIFO("a named pipe"),
        SOCKET("a socket"),
        CHARACTER_DEVICE("a character device"),
        BLOCK_DEVICE("a block device"),
        OTHER("a file of an unknown kind");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

        /// From the type bits of a `st_mode`, which are the same on every Unix.
        static Kind of(int mode) {
            return switch (mode & 0xF000) {
                case 0x8000 -> REGULAR;
                case 0x4000 -> DIRECTORY;
                case 0xA000 -> SYMBOLIC_LINK;
                case 0x1000 -> FIFO;
                case 0xC000 -> SOCKET;
                case 0x2000 -> CHARACTER_DEVICE;
                case 0x6000 -> BLOCK_DEVICE;
                default -> OTHER;
            };
        }
    }

    /// The very same file, not another one that took its name.
    public boolean isSameFileAs(FileStatus other) {
        return device == other.device && inode == other.inode && kind == other.kind;
    }

    /// The same file, and nothing wrote to it or changed its attributes in between.
    public boolean isUnchangedSince(FileStatus earlier) {
        return equals(earlier);
    }
}
