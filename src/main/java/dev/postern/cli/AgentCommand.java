package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.ErrorKind;
import dev.postern.base.Problem;
import dev.postern.policy.Mode;
import dev.postern.run.Approver;
import dev.postern.run.RunOrder;
import dev.postern.run.RunOrder.AllowedTool;
import dev.postern.run.RunReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the commands that start a run of an agent have in common (RUN-4, APR-2, CLI-5).
final class AgentCommand {
    /// In bytes; more than any model takes.
    private static final int LONGEST_PROMPT = 1 << 20;

    private static final String STANDARD_INPUT = "-";

    private AgentCommand() {}

    static int run(Line line, Session session, String text, RunOrder.@Nullable Session within) {
        return switch (AgentShapes.allowed(line)) {
            case Answer.Not<Set<AllowedTool>> not -> session.fail(not.problem());
            case Answer.Here<Set<AllowedTool>> allowed ->
                switch (prompt(text, session)) {
                    case Answer.Not<String> not -> session.fail(not.problem());
                    case Answer.Here<String> prompt ->
                        follow(
                                session,
                                new RunOrder(Mode.CHAT, prompt.value(), within, allowed.value()),
                                line.has(AgentShapes.WAIT));
                };
        };
    }

    private static Answer<String> prompt(String text, Session session) {
        var prompt = text;
        if (text.equals(STANDARD_INPUT)) {
            try {
                byte[] bytes = session.console().in().readNBytes(LONGEST_PROMPT + 1);
                if (bytes.length > LONGEST_PROMPT) {
                    return wrong("Standard input has more than " + LONGEST_PROMPT + " bytes.", "Say it shorter.");
                }
                prompt = new String(bytes, StandardCharsets.UTF_8);
            } catch (IOException e) {
                return wrong("Standard input can't be read.", "Give the text on the command line.");
            }
        }
        return prompt.isBlank()
                ? wrong("The text for the model is empty.", "Say what it is to do.")
                : new Answer.Here<>(prompt);
    }

    private static Answer<String> wrong(String what, String next) {
        return new Answer.Not<>(new Problem(ErrorCode.USAGE, what, next));
    }

    /// To its end. A run whose words nobody reads any more is cancelled.
    private static int follow(Session session, RunOrder order, boolean wait) {
        return session.withHost((host, inForce) -> {
            var wrong = order.allowed().stream()
                    .map(tool -> AgentShapes.mistakeIn(tool, inForce))
                    .filter(Objects::nonNull)
                    .findFirst();
            if (wrong.isPresent()) {
                return session.fail(wrong.get());
            }
            var stop = new Cancellation();
            var text = new EventText(session.console(), stop::request);
            Approver approver = ConsoleApprover.of(session.console(), host, wait, text);
            Answer<RunReport> answer;
            try (var _ = text;
                    var _ = session.cancellation().listen(stop::request)) {
                answer = host.run(order, approver, text, stop);
            }
            return switch (session.orCancelled(answer)) {
                case Answer.Not<RunReport> not -> session.fail(not.problem());
                case Answer.Here<RunReport> report -> code(report.value());
            };
        });
    }

    /// 0 when completed, 6 when any call is unknown (CLI-5).
    private static int code(RunReport report) {
        return switch (report.state()) {
            case COMPLETED -> report.counts().unknown() == 0 ? ExitCode.DONE : ExitCode.of(ErrorKind.UNKNOWN);
            case LIMIT, CANCELLED, FAILED ->
                report.problem() == null ? ExitCode.INTERNAL : ExitCode.of(report.problem());
        };
    }
}
