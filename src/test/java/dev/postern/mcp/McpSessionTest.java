package dev.postern.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import dev.postern.mcp.handshake.HandshakeSession;
import dev.postern.mcp.stateless.StatelessSession;
import dev.postern.wire.Message;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("WIR-1")
class McpSessionTest {
    private static final String META = """
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                     "io.modelcontextprotocol/clientCapabilities":{},
                     "io.modelcontextprotocol/clientInfo":{"name":"postern","version":"1.2.3"}}""";

    private final FakeConnection connection = FakeConnection.with((peer, message) -> {
        if (message instanceof Message.Request) {
            peer.answers(message, "{\"tools\":[]}");
        }
    });
    private final Exchange exchange = Exchange.over(connection);
    private final McpSession handshake = new HandshakeSession(exchange, "2025-06-18");
    private final McpSession stateless = new StatelessSession(exchange, ClientInfo.postern("1.2.3"));
    private final ObjectNode arguments = JsonNodeFactory.instance.objectNode().put("path", "a.txt");

    @Test
    void handshakeSessionListsAndCallsWithoutMetadata() {
        handshake.listTools(null, deadline());
        handshake.listTools("", deadline());
        handshake.callTool("read", arguments, deadline(), new Cancellation());

        assertThat(connection.methods()).containsExactly("tools/list", "tools/list", "tools/call");
        assertThat(connection.request(0).params()).isEqualTo(FakeConnection.json("{}"));
        assertThat(connection.request(1).params()).isEqualTo(FakeConnection.json("{\"cursor\":\"\"}"));
        assertThat(connection.request(2).params())
                .isEqualTo(FakeConnection.json("{\"name\":\"read\",\"arguments\":{\"path\":\"a.txt\"}}"));
        assertThat(handshake.protocolVersion()).isEqualTo("2025-06-18");
    }

    @Test
    void statelessSessionCarriesItsMetadataOnEveryRequest() {
        stateless.listTools(null, deadline());
        stateless.listTools("c", deadline());
        stateless.callTool("read", arguments, deadline(), new Cancellation());

        assertThat(connection.request(0).params()).isEqualTo(FakeConnection.json("{" + META + "}"));
        assertThat(connection.request(1).params()).isEqualTo(FakeConnection.json("{" + META + ",\"cursor\":\"c\"}"));
        assertThat(connection.request(2).params())
                .isEqualTo(FakeConnection.json("{" + META + ",\"name\":\"read\",\"arguments\":{\"path\":\"a.txt\"}}"));
    }

    @Test
    @Tag("RUN-7")
    void callLeavesTheArgumentsOfTheCallerAsTheyAre() {
        stateless.callTool("read", arguments, deadline(), new Cancellation());

        assertThat(arguments).isEqualTo(JsonNodeFactory.instance.objectNode().put("path", "a.txt"));
    }

    private static Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(60), Timeout.CALL);
    }
}
