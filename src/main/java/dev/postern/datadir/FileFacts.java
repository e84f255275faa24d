package dev.postern.datadir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/// What the system says about a file: its kind, its owner and who may do what with it.
record FileFacts(long owner, int mode) {
    private static final int KIND = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;

    /// @param options `NOFOLLOW_LINKS` to look at a link itself
    static FileFacts of(Path path, LinkOption... options) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,mode", options);
        return new FileFacts(number(attributes, "uid") & 0xFFFF_FFFFL, number(attributes, "mode"));
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : -1;
    }

    boolean isDirectory() {
        return (mode & KIND) == DIRECTORY;
    }

    boolean isRegularFile() {
        return (mode & KIND) == REGULAR;
    }

    boolean isLink() {
        return (mode & KIND) == LINK;
    }

    boolean ownerCanWrite() {
        return (mode & 0200) != 0;
    }

    /// What many users may put files into, as `/tmp`.
    boolean isSticky() {
        return (mode & 01000) != 0;
    }

    boolean groupCanWrite() {
        return (mode & 0020) != 0;
    }

    boolean othersCanWrite() {
        return (mode & 0002) != 0;
    }

    boolean groupCanEnter() {
        return (mode & 0010) != 0;
    }

    boolean othersCanEnter() {
        return (mode & 0001) != 0;
    }

    /// The permission bits, such as `0755`.
    String modeText() {
        String octal = Integer.toOctalString(mode & 07777);
        return "0".repeat(Math.max(0, 4 - octal.length())) + octal;
    }
}
