package dev.postern.process;

import dev.postern.base.Answer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What the launcher must know of the data directory: where its ledger is, and what servers are not to see
/// (PRC-4, SEC-7). Every answer is about the disk as it is now.
public interface Premises {
    /// The data directory. It need not exist.
    Path directory();

    /// Its `run/`; null where it is missing or must not be used.
    @Nullable
    Path run();

    /// Its `run/`, made where it is missing.
    Answer<Path> makeRun();
}
