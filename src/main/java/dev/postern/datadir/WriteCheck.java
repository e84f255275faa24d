package dev.postern.datadir;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.datadir.DataDirectory.Checked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether something can be put into a directory of ours. What forbids it is named, so that nobody looks for it at a
/// file inside.
final class WriteCheck {
    private static final String ELSEWHERE = "or choose another directory with --data-dir.";

    private WriteCheck() {}

    /// A directory that its owner may not write counts as read-only for root too: somebody meant it to be.
    static Checked of(String what, Path directory) {
        try {
            var facts = FileFacts.of(directory);
            if (!facts.ownerCanWrite()) {
                return refused(
                        what,
                        directory,
                        "it is read-only (mode " + facts.modeText() + ")",
                        "Run: chmod 700 " + Problems.quoted(directory) + "; " + ELSEWHERE);
            }
            if (Files.isWritable(directory)) {
                return new Checked.Ready();
            }
            return Files.getFileStore(directory).isReadOnly()
                    ? refused(
                            what,
                            directory,
                            "the file system is read-only",
                            "Mount it so that it can be written, " + ELSEWHERE)
                    : refused(
                            what,
                            directory,
                            "the system forbids it, whatever its mode " + facts.modeText() + " says",
                            "Find out what does (an access control list, a sandbox), " + ELSEWHERE);
        } catch (IOException e) {
            return refused(what, directory, IoReason.of(e), "Look what stands there, " + ELSEWHERE);
        }
    }

    private static Checked refused(String what, Path directory, String why, String next) {
        return new Checked.Refused(new Problem(
                ErrorCode.STORAGE_UNWRITABLE, what + " " + directory + " can't be written: " + why + ".", next));
    }
}
