package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.datadir.DataDirectory;
import dev.postern.datadir.DataDirectory.Checked;
import dev.postern.store.Owners;
import dev.postern.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Whether calls can be recorded in a data directory, for `doctor`. Changes and makes nothing.
public final class RecordsCheck {
    /// Some calls with the largest result there may be, in the database and once more in its log.
    private static final long LEAST_ROOM = 16L << 20;

    private static final double MEBIBYTE = 1L << 20;

    private RecordsCheck() {}

    /// What is there, or what would keep a call from being recorded.
    public static Answer<String> of(DataDirectory directory, Owners owners) {
        var checked = directory.checkDatabase(true);
        if (checked instanceof Checked.Refused refused) {
            return new Answer.Not<>(refused.problem());
        }
        var file = directory.database();
        var problem = Store.inspect(file, owners);
        return problem == null ? room(existing(directory.path()), described(file)) : new Answer.Not<>(problem);
    }

    private static String described(Path file) {
        try {
            return file + ": " + mebibytes(Files.size(file));
        } catch (IOException none) {
            return file + " does not exist yet; the first call makes it";
        }
    }

    private static Path existing(Path path) {
        var parent = path.getParent();
        return Files.exists(path) || parent == null ? path : existing(parent);
    }

    private static Answer<String> room(Path directory, String described) {
        try {
            long room = Files.getFileStore(directory).getUsableSpace();
            return room >= LEAST_ROOM
                    ? new Answer.Here<>(described)
                    : new Answer.Not<>(new Problem(
                            ErrorCode.STORAGE_UNWRITABLE,
                            "Only " + mebibytes(room) + " are left on the disk of " + directory
                                    + ", and a call that can't be recorded is not sent.",
                            "Make room there, with `postern runs prune` for one; or choose another data directory with"
                                    + " --data-dir."));
        } catch (IOException unknown) {
            return new Answer.Here<>(described);
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
