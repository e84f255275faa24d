package dev.postern.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Who this process acts as.
public final class Users {
    private Users() {}

    /// The effective user id: whose files are ours. Read from `/proc` on Linux; elsewhere a temporary file
    /// tells. Never changes while we run.
    ///
    /// @throws IllegalStateException where neither is possible
    public static long effectiveId() {
        return Known.EFFECTIVE_ID;
    }

    private static final class Known {
        static final long EFFECTIVE_ID = find();

        private static long find() {
            try {
                return effectiveIdIn(Files.readString(Path.of("/proc/self/status")));
            } catch (IOException | NumberFormatException e) {
                return ask();
            }
        }
    }

    /// The owner of a file that we make.
    static long ask() {
        try {
            var file = Files.createTempFile("postern", null);
            try {
                return Integer.toUnsignedLong((int) Files.getAttribute(file, "unix:uid"));
            } finally {
                Files.delete(file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalStateException("The system does not tell which user this is.", e);
        }
    }

    /// From the line `Uid:` of proc(5): real, effective, saved and file system id. The owner of `/proc/self`
    /// would not do: it is root for a process that can't be traced.
    static long effectiveIdIn(String status) throws IOException {
        for (var line : status.split("\n", -1)) {
            if (line.startsWith("Uid:")) {
                var ids = line.substring(4).strip().split("\\s+", -1);
                if (ids.length >= 2) {
                    return Long.parseLong(ids[1]);
                }
            }
        }
        throw new IOException("no line Uid");
    }
}
