package dev.postern.mcp;

import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeouts;
import org.jspecify.annotations.Nullable;

/// Opens a session: detects the era where it is not pinned, and shakes hands where the era wants it (WIR-1).
public interface SessionOpener {
    /// Blocks until a session is open or it is certain that none can be; on failure nothing stays connected.
    ///
    /// @param remembered the era stored for this very entry, tried first, or null
    /// @param startup bounds everything together; each request has its own timeout besides (WIR-6)
    Opened open(Connector connector, ProtocolPin pin, @Nullable Era remembered, Deadline startup, Timeouts timeouts);

    sealed interface Opened {
        record Open(McpSession session, Connection connection) implements Opened {}

        record Failed(Problem problem) implements Opened {}
    }
}
