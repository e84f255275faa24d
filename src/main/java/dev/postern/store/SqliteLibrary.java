package dev.postern.store;

import org.jspecify.annotations.Nullable;
import org.sqlite.util.OSInfo;

/// Which native library of SQLite is loaded. Left to itself the driver unpacks it into the temporary directory
/// at every start, and a process that is killed leaves it there; so a build unpacks it once.
public final class SqliteLibrary {
    private SqliteLibrary() {}

    /// Has the library loaded from where the build unpacked it. Without such a folder, or if there is none in it for
    /// this machine, the driver unpacks its own.
    ///
    /// @param folder holds `org/sqlite/native/SYSTEM/ARCHITECTURE`; null when there is none
    public static void unpackedIn(@Nullable String folder) {
        if (folder != null) {
            System.setProperty(
                    "org.sqlite.lib.path",
                    folder + "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS());
        }
    }
}
