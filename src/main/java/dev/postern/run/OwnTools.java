package dev.postern.run;

import dev.postern.server.ToolSource;

/// Tools that each run has for itself: opened when the run first uses one, closed when the run ends, and never
/// offered to a scheduled run, which must do the same thing every time.
public interface OwnTools {
    /// One for the run, which is not opened yet.
    Opened forRun(String runId);

    /// A source of one run.
    interface Opened extends ToolSource, AutoCloseable {
        /// Ends what [#ready] has opened. Harmless when nothing was, and when called again.
        @Override
        void close();
    }
}
