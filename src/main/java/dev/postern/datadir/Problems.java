package dev.postern.datadir;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import java.nio.file.Path;

/// The sentences about files that several checks share.
final class Problems {
    private Problems() {}

    /// `path` as a shell takes it, for commands to copy.
    static String quoted(Path path) {
        return ShellText.quoted(path.toString());
    }

    static Problem foreign(String what, Path path, FileFacts facts, long user) {
        return new Problem(
                ErrorCode.DATADIR_UNSAFE,
                what + " " + path + " belongs to user " + facts.owner() + ", and this is user " + user + ".",
                "Run Postern as its owner, or take it over: sudo chown " + user + " " + quoted(path));
    }

    static Problem writable(String what, Path path, FileFacts facts, String chmod) {
        return new Problem(
                ErrorCode.DATADIR_UNSAFE,
                what + " " + path + " can be written by other users (mode " + facts.modeText()
                        + "), who could change what Postern runs.",
                "Run: chmod " + chmod + " " + quoted(path));
    }
}
