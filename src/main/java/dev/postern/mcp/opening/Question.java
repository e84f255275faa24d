package dev.postern.mcp.opening;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ProtocolPin;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Era;
import dev.postern.mcp.handshake.Handshake;
import dev.postern.mcp.stateless.Discovery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can be asked of a server whose era is not known.
enum Question {
    DISCOVER(Discovery.METHOD),
    INITIALIZE(Handshake.METHOD);

    private final String method;

    Question(String method) {
        this.method = method;
    }

    String method() {
        return method;
    }

    ObjectNode params(ClientInfo client) {
        return switch (this) {
            case DISCOVER -> Discovery.params(client);
            case INITIALIZE -> Handshake.params(client);
        };
    }

    /// The questions in the order in which they are asked; the second only when the first decides nothing. A
    /// pin leaves one. Without a memory the probe comes first, as the specification of 2026-07-28 says.
    static List<Question> order(ProtocolPin pin, @Nullable Era remembered) {
        return switch (pin) {
            case MODERN -> List.of(DISCOVER);
            case LEGACY -> List.of(INITIALIZE);
            case AUTO -> remembered == Era.HANDSHAKE ? List.of(INITIALIZE, DISCOVER) : List.of(DISCOVER, INITIALIZE);
        };
    }
}
