package dev.postern.cli;

import dev.postern.demo.DemoServer;
import picocli.CommandLine.Model.CommandSpec;

/// `demo-server`, hidden: the bundled MCP server on standard input and output.
final class DemoServerCommand implements Command {
    @Override
    public CommandSpec spec() {
        var spec = Shapes.command(this, "demo-server", "Serve the bundled demo tools over standard input and output.");
        spec.usageMessage().hidden(true);
        return spec;
    }

    @Override
    public int run(Line line, Session session) {
        var token = session.services().variable(DemoServer.TOKEN_VARIABLE);
        new DemoServer(session.console().in(), session.console().rawOut(), token).serve();
        return ExitCode.DONE;
    }
}
