package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.cli.render.Console;
import dev.postern.cli.render.JsonText;
import dev.postern.run.Approver.Question;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// `runs approvals`: the calls that wait for the owner's word in the worker (APR-2).
final class RunsApprovalsCommand implements Command {
    @Override
    public CommandSpec spec() {
        return Shapes.command(this, "approvals", "List the calls that wait for your approval.");
    }

    @Override
    public int run(Line line, Session session) {
        return session.withHost((host, inForce) -> {
            print(session.console(), host.approvals().waiting());
            return ExitCode.DONE;
        });
    }

    private static void print(Console console, List<Question> questions) {
        if (console.json()) {
            var object = JsonNodeFactory.instance.objectNode();
            var items = object.putArray("items");
            for (var question : questions) {
                items.addObject()
                        .put("approvalId", question.id())
                        .put("runId", question.runId())
                        .put("server", question.server())
                        .put("tool", question.tool())
                        .set("arguments", question.arguments());
            }
            console.json(object.putNull("nextCursor"));
        } else if (questions.isEmpty()) {
            console.out().line("No call waits for approval.");
        } else {
            for (var question : questions) {
                console.out()
                        .line(question.id() + "  " + question.server() + " " + question.tool())
                        .line("  " + JsonText.pretty(question.arguments()).replace("\n", "\n  "));
            }
        }
    }
}
