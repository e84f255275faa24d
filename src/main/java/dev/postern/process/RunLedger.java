package dev.postern.process;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProcessIdentity;
import dev.postern.natives.Directory;
import dev.postern.natives.FileStatus;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The run ledger (PRC-4): one file `run/instance-<marker>` for every instance that nothing but us would end, from
/// before its birth until nothing is left of it; for one in a PID namespace until the namespace stands, since a host
/// killed in that moment would leave it behind. Files, not a database: writing one costs a fraction of a
/// millisecond, and no damage to one keeps another from being read. Safe for use by many threads and processes.
///
/// Read is only a regular file of ours with one name, that nobody else may write, of at most [#LARGEST] bytes and
/// of exactly our form. Anything else under such a name is reported and otherwise left alone: it never makes us
/// signal anybody.
public final class RunLedger {
    /// An entry has some 300 bytes.
    static final int LARGEST = 4_096;

    private static final String PREFIX = "instance-";

    /// Of a file that is not in force yet. One that its writer left, whoever sweeps removes; a writer that is still
    /// there writes it again.
    private static final String UNFINISHED = ".new";

    private static final int OTHERS_WRITE = 0022;
    private static final int TRIES = 3;

    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Premises premises;

    public RunLedger(Premises premises) {
        this.premises = premises;
    }

    /// What stands in the ledger.
    ///
    /// @param unfinished files that no writer has put in force
    /// @param unreadable why, for each file that is neither
    record Reading(List<Found> entries, List<Path> unfinished, List<Problem> unreadable) {
        private Reading() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    /// One entry in force.
    record Found(Path file, LedgerText text) {}

    /// Writes down that `server` is about to be started.
    Answer<Entry> begin(String server, String marker) {
        return switch (premises.makeRun()) {
            case Answer.Not<Path> not -> new Answer.Not<>(not.problem());
            case Answer.Here<Path> here -> {
                Path file = here.value().resolve(PREFIX + marker);
                try {
                    write(file, LedgerText.first(server, ProcessTable.own(), marker));
                    yield new Answer.Here<>(new Entry(file));
                } catch (IllegalStateException untold) {
                    yield new Answer.Not<>(new Problem(
                            ErrorCode.START_SPAWN,
                            "The server \"" + server + "\" was not started: it can't be contained here, and the next"
                                    + " Postern would not know whose it is. " + untold.getMessage() + ".",
                            "Raise the number of files that a process may open (`ulimit -n`), and try again."));
                } catch (IOException e) {
                    yield new Answer.Not<>(new Problem(
                            ErrorCode.STORAGE_UNWRITABLE,
                            "The server \"" + server + "\" was not started: it can't be contained here, and the note of"
                                    + " it that the next Postern would need, " + file + ", can't be written ("
                                    + e.getClass().getSimpleName() + ").",
                            "Make room on that disk, or give Postern a namespace to put servers in: `postern doctor`"
                                    + " says how."));
                }
            }
        };
    }

    private static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + UNFINISHED);
        for (int i = 1; ; i++) {
            try {
                Files.createFile(fresh, OURS);
                Files.writeString(fresh, text, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (NoSuchFileException swept) {
                if (i == TRIES) {
                    throw swept;
                }
            } catch (IOException | RuntimeException fault) {
                Files.deleteIfExists(fresh);
                throw fault;
            }
        }
    }

    /// An instance of this very process.
    static final class Entry {
        private final Path file;

        private Entry(Path file) {
            this.file = file;
        }

        /// The process runs. Where that can't be written, the marker must do.
        void started(@Nullable ProcessIdentity instance, boolean session) {
            if (instance == null) {
                return;
            }
            var text = LedgerText.second(instance, session ? instance.pid() : 0);
            try (var channel = FileChannel.open(
                    file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
                channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                // Full or gone: it is known by its marker.
            }
        }

        /// Nothing is left of the instance.
        void remove() {
            RunLedger.remove(file);
        }
    }

    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // The next sweep finds nobody, and tries again.
        }
    }

    /// Reads every entry, changes none. Costs a listing where there is none.
    Reading read() {
        var reading = new Reading();
        Path run = premises.run();
        String[] names = run == null ? null : run.toFile().list((directory, name) -> name.startsWith(PREFIX));
        if (run == null || names == null || names.length == 0) {
            return reading;
        }
        Arrays.sort(names);
        try (var directory = Directory.open(run)) {
            for (String name : names) {
                read(directory, run.resolve(name), reading);
            }
        } catch (IOException e) {
            reading.unreadable.add(
                    unreadable(run, "it can't be opened (" + e.getClass().getSimpleName() + ")"));
        }
        return reading;
    }

    private static void read(Directory directory, Path file, Reading reading) {
        var name = String.valueOf(file.getFileName());
        try (var open = directory.openForReading(name)) {
            var wrong = wrong(open.status());
            if (wrong != null) {
                reading.unreadable.add(unreadable(file, wrong));
            } else if (name.endsWith(UNFINISHED)) {
                reading.unfinished.add(file);
            } else {
                var text = LedgerText.parse(new String(open.read(LARGEST), StandardCharsets.UTF_8));
                if (text == null || !name.equals(PREFIX + text.marker())) {
                    reading.unreadable.add(unreadable(file, "it is damaged, or not from Postern"));
                } else {
                    reading.entries.add(new Found(file, text));
                }
            }
        } catch (NoSuchFileException gone) {
            // Its instance has ended meanwhile.
        } catch (IOException e) {
            reading.unreadable.add(unreadable(
                    file, "it is a link, or can't be opened (" + e.getClass().getSimpleName() + ")"));
        }
    }

    private static @Nullable String wrong(FileStatus status) {
        if (status.kind() != FileStatus.Kind.REGULAR) {
            return "it is " + status.kind().words();
        }
        if (status.owner() != Users.effectiveId()) {
            return "it belongs to user " + status.owner();
        }
        if (status.links() != 1) {
            return "it has another name besides this one";
        }
        if ((status.permissions() & OTHERS_WRITE) != 0) {
            return "others may write it";
        }
        return status.size() > LARGEST ? "it has " + status.size() + " bytes, more than " + LARGEST : null;
    }

    private static Problem unreadable(Path file, String why) {
        return new Problem(
                ErrorCode.DOCTOR_FINDINGS,
                "The run ledger's " + file + " is ignored: " + why + ".",
                "Remove it, unless you know what it is for.");
    }
}
