package dev.postern.datadir;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The directory that holds everything of ours (DIR). Looking at it never creates it. Immutable, safe for use by
/// many threads; what is on disk is looked at anew with each call.
public final class DataDirectory {
    /// Names the directory when no flag does (DIR-1).
    public static final String VARIABLE = "POSTERN_DATA_DIR";

    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final LongSupplier user;

    /// A directory at a known place.
    ///
    /// @param path absolute
    /// @param user our effective user id, asked for only when there is something to compare it with
    public DataDirectory(Path path, LongSupplier user) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("not absolute: " + path);
        }
        this.path = path;
        this.user = user;
    }

    public Path path() {
        return path;
    }

    public Path config() {
        return path.resolve("config.json");
    }

    /// The durable records (STO). SQLite keeps files beside it that begin with its name.
    public Path database() {
        return path.resolve("postern.db");
    }

    /// Lock, control socket, API token, and what is remembered between commands.
    public Path run() {
        return path.resolve("run");
    }

    /// What stands there now.
    public Checked check() {
        return check(Part.WHOLE);
    }

    /// What stands in the place of `run/`; what is wrong with the directory around it is wrong with it.
    public Checked checkRun() {
        var outer = check();
        return outer instanceof Checked.Ready ? check(Part.RUN) : outer;
    }

    /// What stands in the place of the database; what is wrong with the directory around it is wrong with it.
    ///
    /// @param toWrite whether it must be a file that its owner may write
    public Checked checkDatabase(boolean toWrite) {
        var outer = toWrite ? checkWritable() : check();
        return outer instanceof Checked.Ready ? DatabaseCheck.of(database(), user(), toWrite) : outer;
    }

    /// As [#check()], and whether something can be put there.
    public Checked checkWritable() {
        var outer = check();
        return outer instanceof Checked.Ready ? WriteCheck.of(Part.WHOLE.what, path) : outer;
    }

    /// Makes the directory, and what leads to it, where it is missing: mode 0700 whatever the umask.
    ///
    /// @return why nothing can be put there, null when something can
    public @Nullable Problem create() {
        var outer = made(Part.WHOLE);
        return outer == null ? refusal(WriteCheck.of(Part.WHOLE.what, path)) : outer;
    }

    /// Makes `run/`, and the data directory, where they are missing: mode 0700 whatever the umask.
    ///
    /// @return why nothing can be put there, null when something can
    public @Nullable Problem createRun() {
        var outer = check(Part.RUN) instanceof Checked.Absent ? create() : made(Part.WHOLE);
        if (outer == null) {
            outer = made(Part.RUN);
        }
        return outer == null ? refusal(WriteCheck.of(Part.RUN.what, run())) : outer;
    }

    private static @Nullable Problem refusal(Checked checked) {
        return checked instanceof Checked.Refused refused ? refused.problem() : null;
    }

    long user() {
        return user.getAsLong();
    }

    /// What can be made and checked.
    private enum Part {
        WHOLE("The data directory"),

        /// Only we have business in it, reading included: it is no link, and closed to all others (DIR-3).
        RUN("The directory");

        private final String what;

        Part(String what) {
            this.what = what;
        }
    }

    private Path pathOf(Part part) {
        return part == Part.WHOLE ? path : run();
    }

    private @Nullable Problem made(Part part) {
        var found = check(part);
        if (found instanceof Checked.Absent) {
            try {
                makeWithParents(pathOf(part));
            } catch (IOException e) {
                return cannotMake(pathOf(part), part.what, e);
            }
            found = check(part);
        }
        return switch (found) {
            case Checked.Ready ready -> null;
            case Checked.Refused refused -> refused.problem();
            case Checked.Absent absent ->
                new Problem(
                        ErrorCode.DATADIR_UNUSABLE,
                        part.what + " " + pathOf(part) + " vanished as soon as it was made.",
                        "Find out what removes it, then try again.");
        };
    }

    private static void makeWithParents(Path directory) throws IOException {
        var parent = directory.getParent();
        if (parent != null && !Files.exists(parent)) {
            makeWithParents(parent);
        }
        FileAttribute<Set<PosixFilePermission>> mode = PosixFilePermissions.asFileAttribute(OURS_ALONE);
        try {
            Files.createDirectory(directory, mode);
            Files.setPosixFilePermissions(directory, OURS_ALONE);
        } catch (FileAlreadyExistsException e) {
            // Somebody was faster, perhaps another process of ours: whoever called judges what is there.
        }
    }

    private static Problem cannotMake(Path directory, String what, IOException e) {
        boolean denied = e instanceof AccessDeniedException;
        return new Problem(
                denied ? ErrorCode.DATADIR_UNUSABLE : ErrorCode.STORAGE_UNWRITABLE,
                what + " " + directory + " can't be created: " + IoReason.of(e) + ".",
                denied
                        ? "Make it yourself with mode 0700, or choose another one with --data-dir."
                        : "Make room or choose another one with --data-dir.");
    }

    private Checked check(Part part) {
        var directory = pathOf(part);
        var what = part.what;
        FileFacts facts;
        try {
            facts = FileFacts.of(directory, LinkOption.NOFOLLOW_LINKS);
            if (facts.isLink()) {
                var refused = checkLink(directory, what, facts, part == Part.WHOLE);
                if (refused != null) {
                    return refused;
                }
                facts = FileFacts.of(directory);
            }
        } catch (NoSuchFileException e) {
            return absent(directory, what);
        } catch (IOException e) {
            return unusable(
                    what + " " + directory + " can't be looked at: " + IoReason.of(e) + ".",
                    "Every part of its path must be a directory that you may enter; or choose another one with --data-dir.");
        }
        return judge(directory, part, facts);
    }

    private @Nullable Checked checkLink(Path link, String what, FileFacts facts, boolean allowed) {
        if (!allowed) {
            return unusable(what + " " + link + " is a symbolic link.", "Remove the link: rm " + Problems.quoted(link));
        }
        long us = user();
        return facts.owner() == us || facts.owner() == 0
                ? null
                : new Checked.Refused(Problems.foreign(what + "'s link", link, facts, us));
    }

    /// Nothing there, and nothing in the way; or a link that leads nowhere.
    private static Checked absent(Path directory, String what) {
        if (!Files.isSymbolicLink(directory)) {
            var above = directory.getParent();
            while (above != null && !Files.exists(above, LinkOption.NOFOLLOW_LINKS)) {
                above = above.getParent();
            }
            return above == null || Files.isDirectory(above)
                    ? new Checked.Absent()
                    : unusable(
                            what + " " + directory + " can't exist, since " + above + " is not a directory.",
                            "Move that file away, or choose another directory with --data-dir.");
        }
        return unusable(
                what + " " + directory + " is a symbolic link that leads nowhere.",
                "Create what it points to with mode 0700, or remove the link: rm " + Problems.quoted(directory));
    }

    private Checked judge(Path directory, Part part, FileFacts facts) {
        var what = part.what;
        if (!facts.isDirectory()) {
            return unusable(
                    what + " " + directory + " is not a directory.",
                    "Move that file away, or choose another directory with --data-dir.");
        }
        long us = user();
        if (facts.owner() != us) {
            return new Checked.Refused(advised(directory, facts, Problems.foreign(what, directory, facts, us)));
        }
        if (facts.groupCanWrite() || facts.othersCanWrite()) {
            return new Checked.Refused(advised(directory, facts, Problems.writable(what, directory, facts, "700")));
        }
        if (part == Part.RUN && (facts.mode() & 0077) != 0) {
            return new Checked.Refused(new Problem(
                    ErrorCode.DATADIR_UNSAFE,
                    what + " " + directory + " is open to other users (mode " + facts.modeText() + ").",
                    "Run: chmod 700 " + Problems.quoted(directory)));
        }
        if ((facts.mode() & 0500) != 0500) {
            return unusable(
                    what + " " + directory + " can't be read by its owner (mode " + facts.modeText() + ").",
                    "Run: chmod 700 " + Problems.quoted(directory));
        }
        return new Checked.Ready();
    }

    private static Problem advised(Path directory, FileFacts facts, Problem problem) {
        return SharedPlace.is(directory, facts)
                ? new Problem(
                        problem.code(),
                        problem.message(),
                        "Leave it as it is, since it serves others too: choose a directory for Postern alone with"
                                + " --data-dir.")
                : problem;
    }

    private static Checked unusable(String message, String next) {
        return new Checked.Refused(new Problem(ErrorCode.DATADIR_UNUSABLE, message, next));
    }

    /// Where the directory is (DIR-1): the flag, else the variable, else the place that the system has for such
    /// things. A relative `XDG_DATA_HOME` is ignored, as its specification demands.
    ///
    /// @param flag what `--data-dir` says, null without it
    /// @param environment the value of a variable, null when it is not set
    /// @param system the `os.name` of this Java
    /// @param workingDirectory absolute; a relative flag or variable resolves against it
    /// @param user our effective user id
    public static Located locate(
            @Nullable String flag,
            Function<String, @Nullable String> environment,
            String system,
            Path workingDirectory,
            LongSupplier user) {
        if (flag != null) {
            return chosen(flag, "--data-dir", workingDirectory, user);
        }
        String variable = environment.apply(VARIABLE);
        if (variable != null) {
            return chosen(variable, VARIABLE, workingDirectory, user);
        }
        boolean mac = system.startsWith("Mac");
        String data = mac ? null : environment.apply("XDG_DATA_HOME");
        if (data != null && data.startsWith("/")) {
            return found(data + "/postern", "XDG_DATA_HOME", workingDirectory, user);
        }
        String home = environment.apply("HOME");
        if (home == null || !home.startsWith("/")) {
            return nowhere(
                    "There is no home directory to keep data in: HOME is "
                            + (home == null ? "not set" : "not an absolute path") + ".",
                    "Set HOME, or name a directory with --data-dir or " + VARIABLE + ".");
        }
        return found(
                home + (mac ? "/Library/Application Support/Postern" : "/.local/share/postern"),
                "HOME",
                workingDirectory,
                user);
    }

    private static Located chosen(String text, String by, Path workingDirectory, LongSupplier user) {
        if (text.isBlank()) {
            return nowhere(by + " is empty.", "Name a directory, or leave " + by + " out.");
        }
        if (text.equals("~") || text.startsWith("~/")) {
            return nowhere(
                    by + " begins with ~, which no shell has replaced.", "Write the whole path of the home directory.");
        }
        if (text.indexOf('\uFFFD') >= 0) {
            return nowhere(by + " has bytes that are not UTF-8.", "Name a directory by a name that is UTF-8.");
        }
        return found(text, by, workingDirectory, user);
    }

    private static Located found(String text, String by, Path workingDirectory, LongSupplier user) {
        try {
            return new Located.Found(new DataDirectory(plain(workingDirectory.resolve(text)), user));
        } catch (InvalidPathException e) {
            return nowhere(by + " is not a path on this system.", "Name a directory with --data-dir.");
        }
    }

    /// `path` without its `.` parts. Its `..` parts stay: behind a link they lead elsewhere than the text says.
    private static Path plain(Path path) {
        var plain = path.getRoot();
        for (var part : path) {
            if (!part.toString().equals(".")) {
                plain = plain == null ? part : plain.resolve(part);
            }
        }
        return plain == null ? path : plain;
    }

    private static Located nowhere(String message, String next) {
        return new Located.Nowhere(new Problem(ErrorCode.DATADIR_UNUSABLE, message, next));
    }

    /// Whether there is a place for data at all.
    public sealed interface Located {
        record Found(DataDirectory directory) implements Located {}

        record Nowhere(Problem problem) implements Located {}
    }

    /// What stands in the directory's place.
    public sealed interface Checked {
        /// A directory that is ours alone to write.
        record Ready() implements Checked {}

        /// Nothing yet.
        record Absent() implements Checked {}

        record Refused(Problem problem) implements Checked {}
    }
}
