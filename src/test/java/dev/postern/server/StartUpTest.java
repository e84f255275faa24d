package dev.postern.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.config.Approval;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import dev.postern.mcp.Connector.Attempt;
import dev.postern.mcp.Era;
import dev.postern.mcp.Exchange;
import dev.postern.mcp.FakeConnection;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Reply;
import dev.postern.mcp.SessionOpener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StartUpTest {
    private final FakeConnection connection = FakeConnection.silent();
    private final Exchange exchange = Exchange.over(connection);

    @Test
    @Tag("WIR-6")
    void namesTheDiscoveryDeadlineWhenOpeningTookAllTheTime() {
        SessionOpener opener = (_, _, _, startup, _) -> {
            await().until(startup::expired);
            return new SessionOpener.Opened.Open(new Session(), connection);
        };

        var problem = problem(opener);

        assertThat(problem.code()).isEqualTo(ErrorCode.DISCOVERY_DEADLINE);
        assertThat(problem.message())
                .isEqualTo("The server \"it\" did not answer tools/list within the startup deadline of 100ms"
                        + " (timeouts.startup).");
        assertThat(connection.sent()).isEmpty();
    }

    private static Problem problem(SessionOpener opener) {
        var entry = new ServerEntry(
                "it",
                true,
                List.of(),
                List.of(),
                Approval.ASK,
                false,
                ProtocolPin.AUTO,
                Limits.standard(),
                Timeouts.standard().with(Timeout.STARTUP, Duration.ofMillis(100)),
                new Launch.Stdio("/no/such/program", List.of(), null, new TreeMap<>()));
        var none = new Problem(ErrorCode.INTERNAL, "Not used.", "");
        var startUp = new StartUp(entry, opener, text -> text, InstantSource.system());
        return switch (startUp.run(_ -> new Attempt.Failed(none), null)) {
            case Readiness.NotReady not -> not.problem();
            case Readiness.Ready ready -> throw new AssertionError(ready);
        };
    }

    private final class Session implements McpSession {
        @Override
        public Era era() {
            return Era.STATELESS;
        }

        @Override
        public String protocolVersion() {
            return "2026-07-28";
        }

        @Override
        public Reply listTools(@Nullable String cursor, Deadline deadline) {
            return exchange.request("tools/list", FakeConnection.json("{}"), deadline, new Cancellation());
        }

        @Override
        public Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation) {
            throw new AssertionError(name);
        }

        @Override
        public CompletableFuture<Problem> ended() {
            return exchange.ended();
        }

        @Override
        public Counters counters() {
            return exchange.counters();
        }
    }
}
