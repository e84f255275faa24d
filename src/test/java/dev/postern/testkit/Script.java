package dev.postern.testkit;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Writes a script for [ScriptedServer], and says how to start one that follows it. Methods change this script
/// and return it.
public final class Script {
    private static final String SHELL =
            "\"$@\"; s=$?; if [ $s -gt 200 ]; then ulimit -c 0; kill -$((s-200)) $$; fi; exit $s";

    private final List<String> lines = new ArrayList<>();
    private boolean shell;

    private Script() {}

    /// A server of both eras with the tools `echo`, `add`, `fail` and `slow`.
    public static Script behaving() {
        return empty().tool("echo").tool("add").tool("fail").tool("slow");
    }

    /// A server of both eras without tools.
    public static Script empty() {
        return new Script();
    }

    /// A server that says nothing, ever, and reads everything.
    public static Script silent() {
        return empty().on("initialize", "nothing")
                .on("server/discover", "nothing")
                .on("tools/list", "nothing")
                .on("ping", "nothing");
    }

    /// Lists a built-in tool; see [ScriptedServer].
    public Script tool(String name) {
        return line("tool " + name);
    }

    /// Lists a raw definition, one line of JSON; calls to it echo their arguments.
    public Script definition(String json) {
        return line("definition " + json.replace("\n", " "));
    }

    /// `both`, `legacy` or `modern`.
    public Script era(String era) {
        return line("era " + era);
    }

    /// What `initialize` answers.
    public Script version(String version) {
        return line("version " + version);
    }

    /// What `server/discover` lists, separated by commas.
    public Script versions(String versions) {
        return line("versions " + versions);
    }

    public Script pageSize(int tools) {
        return line("page " + tools);
    }

    /// `same`, `endless` or `empty`.
    public Script cursor(String kind) {
        return line("cursor " + kind);
    }

    /// Every line received is appended to `file`, then `#eof` and `#term` when they happen.
    public Script record(Path file) {
        return line("record " + file);
    }

    public Script ignoresEof() {
        return line("eof ignore");
    }

    public Script ignoresTerm() {
        return line("term ignore");
    }

    public Script neverReads() {
        return line("reads never");
    }

    /// What happens before anything is read.
    public Script atStart(String step) {
        return line("at start " + step);
    }

    public Script atEof(String step) {
        return line("at eof " + step);
    }

    public Script atTerm(String step) {
        return line("at term " + step);
    }

    /// What happens instead of the usual answer: `on("tools/list", "error -32000 no")`,
    /// `on("tools/list#2", "exit 1")`, `on("call:echo", "signal SEGV")`. Repeated, the steps run in order.
    public Script on(String method, String step) {
        return line("on " + method + " " + step);
    }

    /// Any directive as it is.
    public Script line(String directive) {
        lines.add(directive);
        return this;
    }

    /// The server becomes a grandchild: `sh -c` starts it, waits for it and ends as it did.
    public Script underShell() {
        shell = true;
        return this;
    }

    /// The program to start. A script with a `signal` step runs under a shell, which ends itself by that signal: a
    /// Java program can't die by SIGSEGV or SIGPIPE.
    public String command() {
        return needsShell() ? "/bin/sh" : java();
    }

    /// Its arguments.
    public List<String> args() {
        List<String> args = new ArrayList<>();
        if (needsShell()) {
            args.addAll(List.of("-c", SHELL, "sh", java()));
        }
        args.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
        args.addAll(List.of("-XX:-UsePerfData", "-cp", classes(), ScriptedServer.class.getName(), text()));
        return List.copyOf(args);
    }

    /// The script itself, to be written to a file or passed as the one argument.
    public String text() {
        return lines.isEmpty() ? "# nothing" : String.join("\n", lines);
    }

    private boolean needsShell() {
        return shell || lines.stream().anyMatch(line -> line.contains(" signal "));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classes() {
        try {
            return Path.of(ScriptedServer.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
