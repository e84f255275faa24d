package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.ErrorKind;
import dev.postern.base.Limit;
import dev.postern.call.CallReport;
import dev.postern.call.CallRequest.ArgumentsSource;
import dev.postern.call.Outcome;
import dev.postern.cli.Session.InForce;
import dev.postern.cli.argument.ArgumentText;
import dev.postern.host.Host;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// `call SERVER TOOL …`: one allowed tool, once, in a local scope (CLI-3). The command is itself the owner's
/// request (APR-3).
final class CallCommand implements Command {
    private static final String INPUT = "--input";

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "call",
                        "Call one allowed tool of a server, once.",
                        "Arguments are one JSON object, a file that holds one, or name=value pairs, whose types"
                                + " the tool's own schema decides. No arguments are {}.")
                .addPositional(Shapes.required(0, "SERVER", "The id of the server."))
                .addPositional(Shapes.required(1, "TOOL", "The exact name of the tool."))
                .addPositional(Shapes.rest(2, "ARGUMENT", "A JSON object, or name=value as often as needed."))
                .addOption(OptionSpec.builder("-i", INPUT)
                        .arity("1")
                        .type(String.class)
                        .paramLabel("FILE")
                        .description("Read the arguments as JSON from a file; - is standard input.")
                        .build())
                .addOption(Shapes.showStderr());
    }

    @Override
    public int run(Line line, Session session) {
        List<String> words = line.rest(2);
        @Nullable String file = line.option(INPUT);
        return switch (ArgumentText.read(words, file, session.console().in(), session.services()::open)) {
            case Answer.Not<ArgumentsSource> not -> session.fail(not.problem());
            case Answer.Here<ArgumentsSource> arguments ->
                session.withServer(line.value(0), (host, inForce) -> {
                    tellOfAnother(session, inForce, line.value(0));
                    return call(line, session, host, resultBytes(inForce, line.value(0)), arguments.value());
                });
        };
    }

    private static int call(Line line, Session session, Host host, int resultBytes, ArgumentsSource arguments) {
        var server = line.value(0);
        boolean showStderr = line.has(Shapes.SHOW_STDERR);
        CallReport report;
        try (var _ = session.console().progress("Calling " + line.value(1) + " of server " + server)) {
            report = host.call(server, line.value(1), arguments, session.cancellation());
        }
        int code = isNoCall(report.outcome())
                ? session.fail(((Outcome.Refused) report.outcome()).problem())
                : CallText.print(session.console(), report, resultBytes, showStderr);
        if (showStderr) {
            StderrTail.show(session.console(), host, server);
        }
        return code;
    }

    /// A call in a local scope starts an instance of its own, beside one that the worker may have (WRK-3).
    private static void tellOfAnother(Session session, InForce inForce, String server) {
        var holder = session.services().otherHolder(inForce.directory(), server);
        if (holder != null) {
            session.console()
                    .note("the worker (process " + holder + ") holds another instance of server " + server
                            + "; this call starts its own.");
        }
    }

    private static int resultBytes(InForce inForce, String server) {
        var entry = inForce.config().server(server);
        return (entry == null ? inForce.config().limits() : entry.limits()).get(Limit.RESULT_BYTES);
    }

    /// Wrong usage is told as such, whether it was found before the server started or only with its schema.
    private static boolean isNoCall(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused
                && refused.problem().code().kind() == ErrorKind.USAGE;
    }
}
