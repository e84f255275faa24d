package dev.postern.secret.source;

import dev.postern.base.ErrorCode;
import dev.postern.base.Names;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import dev.postern.natives.Directory;
import dev.postern.natives.Directory.OpenFile;
import dev.postern.natives.FileStatus;
import dev.postern.natives.Users;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The secrets kept in `auth/` of the data directory, one file each (SEC-2). Reading and listing never create or
/// change anything (SEC-6). Every file is looked at before it is opened, after, and once more when it was read,
/// so that what took its place in between is noticed; nothing is ever waited for. Safe for use by many threads
/// and processes: a writer replaces a file in one step.
public final class CredentialStore {
    static final String SUFFIX = ".json";
    static final String TEMPORARY = ".new-";

    private final Path dataDirectory;
    private final Path authPath;
    private final Supplier<@Nullable Problem> maker;
    private final Opener opener;
    private final Protection protection;
    private final CredentialProblems problems;

    /// Opens the data directory; tests put something in between.
    interface Opener {
        Directory open(Path path) throws IOException;
    }

    /// What reading one credential led to.
    public sealed interface Reading {
        record Found(SecretValue value) implements Reading {}

        /// There is no such credential.
        record Missing(Problem problem) implements Reading {}

        /// There is something by that name which must not be used.
        record Refused(Problem problem) implements Reading {}
    }

    /// One file in `auth/`.
    ///
    /// @param name of the credential, or of the file when it is not one of a credential; fit for a terminal
    /// @param problem why it can't be used, null when it can
    public record Entry(String name, @Nullable Problem problem) {}

    /// What is in `auth/`.
    ///
    /// @param problem why nothing could be listed, null when it could; no directory is an empty listing
    public record Listing(List<Entry> entries, @Nullable Problem problem) {}

    /// @param maker makes the data directory where it is missing, before something is written; gives what stands
    ///     in the way, or null
    public CredentialStore(Path dataDirectory, Supplier<@Nullable Problem> maker) {
        this(dataDirectory, maker, Directory::open, Users.effectiveId());
    }

    CredentialStore(Path dataDirectory, Supplier<@Nullable Problem> maker, Opener opener, long user) {
        this.dataDirectory = dataDirectory;
        this.maker = maker;
        this.authPath = dataDirectory.resolve("auth");
        this.opener = opener;
        this.protection = new Protection(user);
        this.problems = new CredentialProblems(authPath);
    }

    /// Why nothing can be stored by this name, or null.
    public static @Nullable Problem unfitName(String name) {
        return Names.isId(name) ? null : CredentialProblems.badName(name, ErrorCode.USAGE_CREDENTIAL);
    }

    /// The secret by this name. Its problems have the codes SECRET_MISSING and SECRET_REFUSED.
    public Reading read(String name) {
        if (!Names.isId(name)) {
            return new Reading.Refused(CredentialProblems.badName(name, ErrorCode.SECRET_REFUSED));
        }
        try (var auth = openAuth()) {
            return switch (auth) {
                case Auth.Open(Directory directory) -> readIn(directory, name);
                case Auth.Missing() -> new Reading.Missing(problems.missing(name));
                case Auth.Unsafe(Problem problem) -> new Reading.Refused(problem);
            };
        } catch (NoSuchFileException e) {
            return new Reading.Missing(problems.missing(name));
        } catch (IOException e) {
            return new Reading.Refused(CredentialProblems.unreadable(problems.fileOf(name), e));
        }
    }

    /// Everything in `auth/`, sorted, with what is wrong with it, and no value.
    public Listing list() {
        try (var auth = openAuth()) {
            return switch (auth) {
                case Auth.Open(Directory directory) -> new Listing(entries(directory), null);
                case Auth.Missing() -> new Listing(List.of(), null);
                case Auth.Unsafe(Problem problem) -> new Listing(List.of(), problem);
            };
        } catch (NoSuchFileException e) {
            return new Listing(List.of(), null);
        } catch (IOException e) {
            return new Listing(List.of(), CredentialProblems.unreadable(authPath, e));
        }
    }

    /// Stores a secret under this name, in one step and with mode 0600 from the first moment, replacing the one
    /// that was there. Makes the directories when they are missing.
    ///
    /// @return what stood in the way, null when it is on disk
    public @Nullable Problem write(String name, String key) {
        var unfitName = unfitName(name);
        if (unfitName != null) {
            return unfitName;
        }
        var unfit = CredentialFile.unfit(key);
        if (unfit != null) {
            return new Problem(
                    ErrorCode.USAGE_CREDENTIAL,
                    "The secret for " + name + " " + unfit + ".",
                    "Give the secret alone, as it was issued.");
        }
        var bytes = CredentialFile.format(name, key);
        if (bytes.length > Protection.LARGEST_FILE) {
            return new Problem(
                    ErrorCode.USAGE_CREDENTIAL,
                    "The file for " + name + " would have " + bytes.length + " bytes, over the limit of "
                            + Protection.LARGEST_FILE + ".",
                    "Give the secret alone; a larger one can be passed by an environment reference.");
        }
        var unmade = maker.get();
        if (unmade != null) {
            return unmade;
        }
        try {
            makeAuth();
            try (var auth = openAuth()) {
                return switch (auth) {
                    case Auth.Open(Directory directory) -> {
                        replace(directory, name + SUFFIX, bytes);
                        yield null;
                    }
                    case Auth.Missing() -> throw new NoSuchFileException(authPath.toString());
                    case Auth.Unsafe(Problem problem) -> CredentialProblems.asDirectoryProblem(problem);
                };
            }
        } catch (IOException e) {
            return CredentialProblems.unwritable(problems.fileOf(name), e);
        }
    }

    /// Removes the credential by this name and nothing else; a symbolic link is removed, not followed.
    ///
    /// @return what stood in the way, null when it is gone
    public @Nullable Problem remove(String name) {
        var unfitName = unfitName(name);
        if (unfitName != null) {
            return unfitName;
        }
        try (var auth = openAuth()) {
            return switch (auth) {
                case Auth.Open(Directory directory) -> {
                    directory.remove(name + SUFFIX);
                    directory.sync();
                    yield null;
                }
                case Auth.Missing() -> problems.nothingToRemove(name);
                case Auth.Unsafe(Problem problem) -> CredentialProblems.asDirectoryProblem(problem);
            };
        } catch (NoSuchFileException e) {
            return problems.nothingToRemove(name);
        } catch (IOException e) {
            return CredentialProblems.unwritable(problems.fileOf(name), e);
        }
    }

    private sealed interface Auth extends AutoCloseable {
        @Override
        default void close() throws IOException {
            if (this instanceof Open open) {
                open.directory.close();
            }
        }

        record Open(Directory directory) implements Auth {}

        record Missing() implements Auth {}

        record Unsafe(Problem problem) implements Auth {}
    }

    private Auth openAuth() throws IOException {
        try (var data = opener.open(dataDirectory)) {
            var unsafe =
                    CredentialProblems.breach(protection.ofDataDirectory(data.status(), dataDirectory), dataDirectory);
            return unsafe == null ? openAuth(data) : new Auth.Unsafe(unsafe);
        }
    }

    /// Opens `auth` after a look at it, and looks again: the second look is at what was opened.
    private Auth openAuth(Directory data) throws IOException {
        var before = data.status("auth");
        if (before == null) {
            return new Auth.Missing();
        }
        var unsafe = CredentialProblems.breach(protection.ofAuth(before, authPath), authPath);
        if (unsafe != null) {
            return new Auth.Unsafe(unsafe);
        }
        Directory auth;
        try {
            auth = data.openDirectory("auth");
        } catch (FileSystemException e) {
            return new Auth.Unsafe(notOpened(data, "auth", before, e));
        }
        try {
            var opened = auth.status();
            var problem = opened.isSameFileAs(before)
                    ? CredentialProblems.breach(protection.ofAuth(opened, authPath), authPath)
                    : CredentialProblems.swapped(authPath, "opened");
            if (problem == null) {
                return new Auth.Open(auth);
            }
            auth.close();
            return new Auth.Unsafe(problem);
        } catch (IOException e) {
            auth.close();
            throw e;
        }
    }

    /// Opening failed although a look had found nothing wrong: either it was replaced, or the fault is another.
    private Problem notOpened(Directory in, String file, FileStatus before, FileSystemException e) throws IOException {
        var path = file.equals("auth") ? authPath : authPath.resolve(file);
        var now = in.status(file);
        return now != null && now.isSameFileAs(before)
                ? CredentialProblems.unreadable(path, e)
                : CredentialProblems.swapped(path, "opened");
    }

    private Reading readIn(Directory auth, String name) throws IOException {
        var path = problems.fileOf(name);
        var before = auth.status(name + SUFFIX);
        if (before == null) {
            return new Reading.Missing(problems.missing(name));
        }
        var unsafe = CredentialProblems.breach(protection.ofFile(before, path), path);
        if (unsafe != null) {
            return new Reading.Refused(unsafe);
        }
        OpenFile opening;
        try {
            opening = auth.openForReading(name + SUFFIX);
        } catch (FileSystemException e) {
            return new Reading.Refused(notOpened(auth, name + SUFFIX, before, e));
        }
        try (var file = opening) {
            var opened = file.status();
            if (!opened.isSameFileAs(before)) {
                return new Reading.Refused(CredentialProblems.swapped(path, "opened"));
            }
            unsafe = CredentialProblems.breach(protection.ofFile(opened, path), path);
            if (unsafe != null) {
                return new Reading.Refused(unsafe);
            }
            var bytes = file.read(Protection.LARGEST_FILE + 1);
            var named = auth.status(name + SUFFIX);
            if (named == null || !named.isSameFileAs(opened)) {
                return new Reading.Refused(CredentialProblems.swapped(path, "read"));
            }
            if (!file.status().isUnchangedSince(opened) || bytes.length != opened.size()) {
                return new Reading.Refused(CredentialProblems.changed(path));
            }
            return parsed(bytes, name);
        }
    }

    private Reading parsed(byte[] bytes, String name) {
        return switch (CredentialFile.parse(bytes, name)) {
            case CredentialFile.Parsed.Key(String key) -> new Reading.Found(new SecretValue(name, key));
            case CredentialFile.Parsed.Wrong(String what) ->
                new Reading.Refused(CredentialProblems.refused(
                        "The credential file " + problems.fileOf(name) + " " + what + ".",
                        "S" + Protection.storeAgain(problems.fileOf(name)).substring(1)));
        };
    }

    private List<Entry> entries(Directory auth) throws IOException {
        var entries = new ArrayList<Entry>();
        for (var file : auth.names()) {
            var name = file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : "";
            if (!Names.isId(name)) {
                entries.add(new Entry(VisibleText.of(file), problems.stray(file)));
                continue;
            }
            switch (readIn(auth, name)) {
                case Reading.Found found -> entries.add(new Entry(name, null));
                case Reading.Missing missing -> {}
                case Reading.Refused(Problem problem) -> entries.add(new Entry(name, problem));
            }
        }
        return entries;
    }

    /// Only in a data directory that is safe; a wrong one is told of when `auth` is opened.
    private void makeAuth() throws IOException {
        try (var data = opener.open(dataDirectory)) {
            if (protection.ofDataDirectory(data.status(), dataDirectory) == null && data.status("auth") == null) {
                data.makeDirectory("auth");
                data.sync();
            }
        } catch (FileAlreadyExistsException e) {
            // Another process made it first; it is checked like any other.
            return;
        }
    }

    private static void replace(Directory auth, String name, byte[] bytes) throws IOException {
        var temporary = TEMPORARY + Long.toHexString(ThreadLocalRandom.current().nextLong());
        boolean renamed = false;
        var file = auth.create(temporary);
        try {
            try (file) {
                file.write(bytes);
                file.sync();
            }
            auth.rename(temporary, name);
            renamed = true;
        } finally {
            if (!renamed) {
                auth.remove(temporary);
            }
        }
        auth.sync();
    }
}
