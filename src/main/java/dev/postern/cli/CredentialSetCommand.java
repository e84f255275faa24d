package dev.postern.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.secret.source.CredentialStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;

/// `credential set NAME`: the secret comes from a prompt without echo or from standard input, never from an
/// argument, which every user of the machine could read (SEC-6).
final class CredentialSetCommand implements Command {
    static final String NOT_AN_ARGUMENT = "`postern credential set` takes only the name: a secret is never given as"
            + " an argument, where other programs could read it.";

    /// A credential's file is at most 4 KiB (SEC-2); more is not read.
    private static final int MOST = 4_096;

    /// Shorter values are left alone in results (SEC-5).
    private static final int SHORTEST_REDACTED = 8;

    @Override
    public CommandSpec spec() {
        return Shapes.command(
                        this,
                        "set",
                        "Store a secret, typed at a prompt or piped into standard input.",
                        "It goes into a file that only you can read. Servers get it by"
                                + " {\"credential\": \"NAME\"} in their \"environment\".")
                .addPositional(
                        Shapes.required(0, "NAME", "The name of the credential: a letter, then a-z, 0-9 and -."));
    }

    @Override
    public int run(Line line, Session session) {
        var name = line.value(0);
        var unfit = CredentialStore.unfitName(name);
        if (unfit != null) {
            return session.fail(unfit);
        }
        return session.withDirectory(directory -> switch (secret(session.console(), name)) {
            case Answer.Not<String> not -> session.fail(not.problem());
            case Answer.Here<String> secret ->
                store(session, session.services().credentials(directory), name, secret.value());
        });
    }

    private static int store(Session session, CredentialStore credentials, String name, String secret) {
        var problem = credentials.write(name, secret);
        if (problem != null) {
            return session.fail(problem);
        }
        var console = session.console();
        if (secret.length() < SHORTEST_REDACTED) {
            console.note("The secret has fewer than " + SHORTEST_REDACTED
                    + " characters: it is too short to be found and redacted in what servers return.");
        }
        if (console.json()) {
            console.json(JsonNodeFactory.instance.objectNode().put("name", name).put("stored", true));
        } else {
            console.out().line("Credential " + name + " stored.");
            console.out()
                    .line("Give it to a server with \"environment\": {\"VARIABLE\": {\"credential\": \"" + name
                            + "\"}}.");
        }
        return ExitCode.DONE;
    }

    private static Answer<String> secret(Console console, String name) {
        var prompt = console.terminal().prompt();
        if (console.terminal().input() && !console.terminal().output()) {
            return new Answer.Not<>(new Problem(
                    ErrorCode.USAGE,
                    "The secret can't be typed here: standard input is a terminal, but standard output is not, and"
                            + " only with both can the echo be turned off.",
                    "Leave standard output on the terminal, or pipe the secret in: `printf %s \"$TOKEN\" | postern"
                            + " credential set NAME`."));
        }
        if (console.terminal().input() && prompt != null) {
            console.err()
                    .text("Secret for " + name + " (it will not be shown): ")
                    .flush();
            char[] typed = prompt.read();
            return typed == null ? usage("No secret was typed.") : checked(new String(typed));
        }
        try {
            byte[] bytes = console.in().readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                return usage("The secret on standard input is longer than " + MOST + " bytes.");
            }
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return checked(
                    text.endsWith("\r\n")
                            ? text.substring(0, text.length() - 2)
                            : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
        } catch (CharacterCodingException e) {
            return usage("The secret on standard input is not valid UTF-8.");
        } catch (IOException e) {
            return usage("Reading the secret from standard input failed: " + IoReason.of(e) + ".");
        }
    }

    private static Answer<String> checked(String secret) {
        return secret.isBlank() ? usage("The secret is empty.") : new Answer.Here<>(secret);
    }

    private static Answer<String> usage(String message) {
        return new Answer.Not<>(new Problem(
                ErrorCode.USAGE,
                message,
                "Type it at the prompt, or pipe it in: `printf %s \"$TOKEN\" | postern credential set NAME`."));
    }
}
