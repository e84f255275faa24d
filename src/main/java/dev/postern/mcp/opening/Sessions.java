package dev.postern.mcp.opening;

import dev.postern.base.Deadline;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeouts;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Connector;
import dev.postern.mcp.Connector.Attempt;
import dev.postern.mcp.Era;
import dev.postern.mcp.PeerText;
import dev.postern.mcp.SessionOpener;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Opens sessions of either era. A connection is made once, and once more in the handshake era when the peer
/// ended on a probe that it never answered: no tool was called yet, so nothing is repeated (WIR-1, CAL-3).
/// Safe for use by many threads.
public final class Sessions implements SessionOpener {
    private final ClientInfo client;
    private final Findings findings;

    /// @param redact replaces every secret that the server was given: its own words appear in problems
    public Sessions(ClientInfo client, UnaryOperator<String> redact) {
        this.client = client;
        this.findings = new Findings(new PeerText(redact));
    }

    @Override
    public Opened open(
            Connector connector, ProtocolPin pin, @Nullable Era remembered, Deadline startup, Timeouts timeouts) {
        if (startup.expired()) {
            return new Opened.Failed(findings.noTime(startup));
        }
        var questions = Question.order(pin, remembered);
        return switch (attempt(connector, questions, startup, timeouts)) {
            case Opening.Opened opened -> new Opened.Open(opened.session(), opened.connection());
            case Opening.Failed failed -> new Opened.Failed(failed.problem());
            case Opening.EndedOnProbe ended ->
                startup.expired()
                        ? new Opened.Failed(ended.problem())
                        : afresh(connector, ended.problem(), startup, timeouts);
        };
    }

    private Opened afresh(Connector connector, Problem first, Deadline startup, Timeouts timeouts) {
        return switch (attempt(connector, List.of(Question.INITIALIZE), startup, timeouts)) {
            case Opening.Opened opened -> new Opened.Open(opened.session(), opened.connection());
            case Opening.Failed failed -> new Opened.Failed(findings.alsoAfresh(failed.problem(), first));
            case Opening.EndedOnProbe ended -> new Opened.Failed(ended.problem());
        };
    }

    private Opening.Result attempt(Connector connector, List<Question> questions, Deadline startup, Timeouts timeouts) {
        return switch (connector.connect(startup)) {
            case Attempt.Failed failed -> new Opening.Failed(failed.problem());
            case Attempt.Connected connected ->
                new Opening(connected.connection(), questions, startup, timeouts, client, findings).run();
        };
    }
}
