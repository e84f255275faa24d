package dev.postern.process;

import java.io.FileInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One descriptor that an instance keeps for its end: whoever has none left can neither see nor, by the JDK, end a
/// process. Safe for use by many threads.
final class Reserve implements AutoCloseable {
    private @Nullable FileInputStream file;

    /// @throws IOException when there is none to be had: then nothing is to be started
    Reserve() throws IOException {
        this.file = new FileInputStream("/dev/null");
    }

    /// Gives it back, for others to use.
    @Override
    public synchronized void close() {
        try (var _ = file) {
            file = null;
        } catch (IOException e) {
            // Gone in any case.
        }
    }
}
