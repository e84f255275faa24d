package dev.postern.server;

import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.base.Timeout;
import dev.postern.catalog.CatalogBuilder;
import dev.postern.catalog.Discovery;
import dev.postern.config.ServerEntry;
import dev.postern.mcp.Connection;
import dev.postern.mcp.Connector;
import dev.postern.mcp.Era;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.PeerText;
import dev.postern.mcp.Reply;
import dev.postern.mcp.SessionOpener;
import dev.postern.mcp.SessionOpener.Opened;
import dev.postern.wire.JsonSize;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One start of a server: session, then discovery, under one deadline (WIR-6, CAT-1). Used once, on one thread.
final class StartUp {
    /// How messages of the layers below begin, which know one server only.
    private static final String THE_SERVER = "The server";

    private final ServerEntry entry;
    private final SessionOpener opener;
    private final UnaryOperator<String> redact;
    private final PeerText text;
    private final InstantSource time;

    /// @param redact replaces every secret that any server was given so far
    StartUp(ServerEntry entry, SessionOpener opener, UnaryOperator<String> redact, InstantSource time) {
        this.entry = entry;
        this.opener = opener;
        this.redact = redact;
        this.text = new PeerText(redact);
        this.time = time;
    }

    /// Blocks until the server is ready or has failed.
    ///
    /// @param remembered the era that this entry's server spoke last, or null
    Readiness run(Connector connector, @Nullable Era remembered) {
        var startup = entry.timeouts().start(Timeout.STARTUP);
        return switch (opener.open(connector, entry.protocol(), remembered, startup, entry.timeouts())) {
            case Opened.Failed failed -> new Readiness.NotReady(named(failed.problem()));
            case Opened.Open open -> discover(open.session(), open.connection(), startup);
        };
    }

    private Readiness discover(McpSession session, Connection connection, Deadline startup) {
        int frame = entry.limits().get(Limit.FRAME_BYTES);
        int whole = entry.limits().get(Limit.DISCOVERY_BYTES);
        if (whole >= frame) {
            connection.frameLimit(whole, Limit.DISCOVERY_BYTES);
        }
        var discovery = new Discovery(entry.id(), entry.limits(), redact);
        @Nullable String cursor = null;
        while (true) {
            var reply =
                    session.listTools(cursor, startup.earlier(entry.timeouts().start(Timeout.REQUEST)));
            switch (take(inTime(reply, startup), discovery)) {
                case Discovery.Step.More more -> cursor = more.cursor();
                case Discovery.Step.Failed failed -> {
                    return new Readiness.NotReady(failed.problem());
                }
                case Discovery.Step.Complete complete -> {
                    connection.frameLimit(frame, Limit.FRAME_BYTES);
                    var catalog = new CatalogBuilder(entry.id(), entry.limits(), false, redact)
                            .build(complete.tools(), entry.tools());
                    return new Readiness.Ready(new Connected(session, catalog, time.instant()));
                }
            }
        }
    }

    /// A request that start-up left no time to send is late, not broken.
    private static Reply inTime(Reply reply, Deadline startup) {
        boolean late = reply instanceof Reply.NotSent notSent
                && notSent.reason().code() == ErrorCode.SEND_FAILED
                && startup.expired();
        return late ? new Reply.TimedOut(startup, 0) : reply;
    }

    private Discovery.Step take(Reply reply, Discovery discovery) {
        return switch (reply) {
            case Reply.Result result -> discovery.addResult(result.value(), JsonSize.of(result.value()));
            case Reply.Failure failure ->
                failed(new Problem(
                        ErrorCode.DISCOVERY_REFUSED,
                        "The server answered tools/list with error " + failure.code() + ": "
                                + text.quote(failure.message()) + ".",
                        "See the server's documentation for what it needs; `--show-stderr` shows what it printed."));
            case Reply.NotSent notSent -> failed(notSent.reason());
            case Reply.Ended ended -> failed(ended.reason());
            case Reply.TimedOut late ->
                failed(new Problem(
                        ErrorCode.DISCOVERY_DEADLINE,
                        "The server " + late.describe("tools/list") + ".",
                        late.strays() == 0
                                ? late.deadline().howToRaise()
                                : "Tell the server's authors: a line with a number of over 64 digits, a lone surrogate or"
                                        + " a depth of over 64 is no valid message."));
            case Reply.Cancelled cancelled ->
                failed(new Problem(
                        ErrorCode.CANCELLED, "The server's discovery was cancelled.", "Run the command again."));
        };
    }

    private Discovery.Step failed(Problem problem) {
        return new Discovery.Step.Failed(named(problem));
    }

    /// Names the server, where a layer below knew only one, and the phase, where it knew none: a process that ends
    /// while it starts has not merely closed a connection.
    private Problem named(Problem problem) {
        var message = problem.message();
        var name = "The server \"" + entry.id() + "\"";
        var said = message;
        if (message.startsWith(THE_SERVER)) {
            said = name + message.substring(THE_SERVER.length());
        } else if (!message.contains("\"" + entry.id() + "\"")) {
            said = name + ": " + message;
        }
        var code = problem.code() == ErrorCode.WIRE_CLOSED ? ErrorCode.START_EXITED : problem.code();
        return new Problem(code, said, problem.next());
    }
}
