package dev.postern.secret.source;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Names;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What the store says about the files in its `auth/` directory.
///
/// @param auth the directory's path
record CredentialProblems(Path auth) {
    Problem stray(String file) {
        var path = auth.resolve(file);
        return refused(
                file.startsWith(CredentialStore.TEMPORARY)
                        ? "The file " + VisibleText.of(path.toString())
                                + " was left behind by a write that was interrupted, and may hold a secret."
                        : "The file " + VisibleText.of(path.toString()) + " is not a credential: those are called"
                                + " NAME.json, where NAME is lower-case letters, digits and hyphens.",
                "If nothing else needs it, run: rm " + VisibleText.of(Protection.quoted(path)));
    }

    Path fileOf(String name) {
        return auth.resolve(name + CredentialStore.SUFFIX);
    }

    Problem missing(String name) {
        return new Problem(
                ErrorCode.SECRET_MISSING,
                "There is no credential \"" + name + "\" (" + fileOf(name) + " does not exist).",
                "Run `postern credential set " + name + "`.");
    }

    Problem nothingToRemove(String name) {
        return new Problem(
                ErrorCode.USAGE_CREDENTIAL,
                "There is no credential \"" + name + "\" (" + fileOf(name) + " does not exist).",
                "See what there is with `postern credential list`.");
    }

    static Problem badName(String name, ErrorCode code) {
        boolean toldInFull = name.length() <= Names.LONGEST_ID;
        return new Problem(
                code,
                (toldInFull ? "\"" + VisibleText.of(name) + "\"" : "A text of " + name.length() + " characters")
                        + " can't be the name of a credential.",
                "Use 1 to 64 lower-case letters, digits and hyphens, beginning with a letter.");
    }

    static @Nullable Problem breach(Protection.@Nullable Breach breach, Path path) {
        return breach == null ? null : refused(path + " " + breach.what() + ".", breach.next());
    }

    static Problem swapped(Path path, String when) {
        return refused(
                path + " was replaced by something else while it was being " + when + ".",
                "Try again; if it happens again, find out which program changes files there.");
    }

    static Problem changed(Path path) {
        return refused(
                path + " was changed while it was being read.",
                "Try again; if it happens again, find out which program changes files there.");
    }

    static Problem unreadable(Path path, IOException e) {
        return refused(path + " can't be read: " + IoReason.of(e) + ".", "Check the permissions of its directories.");
    }

    static Problem refused(String message, String next) {
        return new Problem(ErrorCode.SECRET_REFUSED, message, next);
    }

    /// For who writes: the directory is at fault, not a secret that a server needs.
    static Problem asDirectoryProblem(Problem problem) {
        return new Problem(ErrorCode.DATADIR_UNSAFE, problem.message(), problem.next());
    }

    static Problem unwritable(Path path, IOException e) {
        return new Problem(
                ErrorCode.STORAGE_UNWRITABLE,
                path + " can't be changed: " + IoReason.of(e) + ".",
                "Check the permissions and the free space of " + path.getParent() + ".");
    }
}
