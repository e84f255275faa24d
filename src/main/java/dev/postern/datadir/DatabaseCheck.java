package dev.postern.datadir;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.datadir.DataDirectory.Checked;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Whether the file in the database's place is one that we may open: a regular file, ours, closed to all others
/// (STO-1). It holds what tools answered; a link could lead to what somebody else reads.
final class DatabaseCheck {
    private static final int OTHERS = 0077;
    private static final int OWNER_READS = 0400;
    private static final int OWNER_WRITES = 0200;

    private DatabaseCheck() {}

    static Checked of(Path file, long user, boolean toWrite) {
        FileFacts facts;
        try {
            facts = FileFacts.of(file, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return new Checked.Absent();
        } catch (IOException e) {
            return refused(
                    ErrorCode.STORAGE_UNREADABLE,
                    "can't be looked at: " + IoReason.of(e),
                    "Find out what stands there: ls -l " + Problems.quoted(file),
                    file);
        }
        if (!facts.isRegularFile()) {
            return refused(
                    ErrorCode.DATADIR_UNSAFE,
                    facts.isLink() ? "is a symbolic link" : "is not a regular file",
                    "Move it away: Postern makes a database of its own.",
                    file);
        }
        if (facts.owner() != user) {
            return new Checked.Refused(Problems.foreign("The database", file, facts, user));
        }
        if ((facts.mode() & OTHERS) != 0) {
            return refused(
                    ErrorCode.DATADIR_UNSAFE,
                    "is open to other users (mode " + facts.modeText() + ")",
                    "Run: chmod 600 " + Problems.quoted(file),
                    file);
        }
        if ((facts.mode() & OWNER_READS) == 0) {
            return refused(
                    ErrorCode.STORAGE_UNREADABLE,
                    "can't be read by its owner (mode " + facts.modeText() + ")",
                    "Run: chmod 600 " + Problems.quoted(file),
                    file);
        }
        if (toWrite && (facts.mode() & OWNER_WRITES) == 0) {
            return refused(
                    ErrorCode.STORAGE_UNWRITABLE,
                    "is read-only (mode " + facts.modeText() + ")",
                    "Run: chmod 600 " + Problems.quoted(file),
                    file);
        }
        return new Checked.Ready();
    }

    private static Checked refused(ErrorCode code, String what, String next, Path file) {
        return new Checked.Refused(new Problem(code, "The database " + file + " " + what + ".", next));
    }
}
