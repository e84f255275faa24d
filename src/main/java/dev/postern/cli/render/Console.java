package dev.postern.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Problem;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/// Where a command writes and reads. With `json` exactly one object goes to standard output, on failure too
/// (CLI-8): the commands see to the one, [#problem(Problem)] to the other.
public final class Console {
    /// On anything narrower the terminal itself may break the lines.
    private static final int NARROWEST = 40;

    private final Streams streams;
    private final Terminal terminal;
    private final boolean json;
    private final UnaryOperator<String> hints;
    private final Printer out;
    private final Printer err;
    private boolean answered;

    /// @param hints completes the commands in what tells people what to do next
    public Console(Streams streams, Terminal terminal, boolean json, UnaryOperator<String> hints) {
        this(
                streams,
                terminal,
                json,
                hints,
                new Printer(streams.out(), terminal.colour() && terminal.output()),
                new Printer(streams.err(), terminal.colour() && terminal.error()));
    }

    private Console(
            Streams streams, Terminal terminal, boolean json, UnaryOperator<String> hints, Printer out, Printer err) {
        this.streams = streams;
        this.terminal = terminal;
        this.json = json;
        this.hints = hints;
        this.out = out;
        this.err = err;
    }

    /// The same, with what would go to standard error on standard output, in one order: for a command whose
    /// output is a demonstration of others.
    public Console onOneStream() {
        return new Console(streams, terminal, json, hints, out, out);
    }

    /// Standard output: what was asked for.
    public Printer out() {
        return out;
    }

    /// Standard error: what a person should know besides.
    public Printer err() {
        return err;
    }

    /// Whether what is written to standard output reaches nobody any more.
    public boolean unread() {
        return out.broken() || streams.unread().getAsBoolean();
    }

    public InputStream in() {
        return streams.in();
    }

    /// Standard output for a program that speaks a protocol on it instead of printing.
    public OutputStream rawOut() {
        return streams.out();
    }

    public Terminal terminal() {
        return terminal;
    }

    /// Whether standard output is for a program.
    public boolean json() {
        return json;
    }

    /// How wide tables may be; 0 is any width, as for a file or a pipe.
    public int width() {
        return terminal.output() ? terminal.width() : 0;
    }

    /// Writes `object` as the one line of standard output.
    public void json(JsonNode object) {
        answered = true;
        out.raw(JsonText.compact(object) + "\n");
    }

    /// Tells a problem: on standard error for people, as `{error:{code, message, next}}` for programs, unless
    /// they have their one object already.
    public void problem(Problem problem) {
        if (json && !answered) {
            json(error(problem));
        } else {
            tell(problem);
        }
    }

    /// Tells a problem to people, on standard error.
    public void tell(Problem problem) {
        labelled(Style.BAD, "error:", problem.message());
        if (!problem.next().isBlank()) {
            folded("  ", hint(problem.next()), 2);
        }
    }

    /// A remark on standard error.
    public void note(String text) {
        labelled(Style.WARN, "note:", hint(text));
    }

    private void labelled(Style style, String label, String text) {
        err.styled(style, label);
        folded(" ", text, label.length() + 1);
    }

    /// One line, or on a terminal as many as it takes, all but the first indented.
    private void folded(String before, String text, int indent) {
        int width = terminal.error() && terminal.width() >= NARROWEST ? terminal.width() - indent : 0;
        for (var line : Folding.fold(Untrusted.line(text), width)) {
            err.line(before + line);
            before = " ".repeat(indent);
        }
    }

    /// `{error:{code, message, next}}`.
    public ObjectNode error(Problem problem) {
        var object = JsonNodeFactory.instance.objectNode();
        object.set("error", object(problem));
        return object;
    }

    /// `{code, message, next}`.
    public ObjectNode object(Problem problem) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", problem.code().code())
                .put("message", problem.message())
                .put("next", hint(problem.next()));
    }

    /// What tells people what to do next, with the commands in it completed: they then do it where this command was
    /// at work. Nothing that others wrote goes through here.
    public String hint(String text) {
        return hints.apply(text);
    }

    /// Shows on a terminal that `doing` takes its time, from 300 ms on, until closed.
    public Progress progress(String doing) {
        return Progress.start(terminal.error() ? err : null, doing);
    }
}
