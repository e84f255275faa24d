package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Whole commands as processes of their own, from the class path, over one data directory and an environment
/// built from nothing.
final class Commands {
    private final Path data;
    private final Path scripts;
    private final TreeMap<String, String> environment = new TreeMap<>();
    private List<String> wrapper = List.of();
    private final ObjectNode references = JsonNodeFactory.instance.objectNode();
    private final ObjectNode config = JsonNodeFactory.instance.objectNode();

    /// @param scripts where the scripts of servers go, so that what they say stands in no argument and no
    ///     configuration
    Commands(Path data, Path scripts) throws IOException {
        this.data = data;
        this.scripts = scripts;
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        config.putArray("mcpServers");
    }

    Commands with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /// Gives these references to every server added from now on.
    Commands references(ObjectNode named) {
        references.setAll(named);
        return this;
    }

    /// What is started instead of the program, and starts it.
    Commands under(String... words) {
        wrapper = List.of(words);
        return this;
    }

    /// Adds a server to the configuration; what is returned may be changed until the next command.
    ObjectNode server(String id, Script script, String... tools) throws IOException {
        var file = Files.writeString(scripts.resolve(id), script.text());
        var entry = config.withArray("mcpServers").addObject();
        entry.put("id", id).put("enabled", true).put("command", script.command());
        var args = entry.putArray("args");
        var words = script.args();
        words.subList(0, words.size() - 1).forEach(args::add);
        args.add("@" + file);
        var allowed = entry.putArray("tools");
        List.of(tools).forEach(allowed::add);
        entry.set("environment", references.deepCopy());
        return entry;
    }

    ScriptRun command(String... words) throws IOException {
        Files.writeString(data.resolve("config.json"), config.toString());
        var command = new ArrayList<Object>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(
                List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-XX:ErrorFile=" + scripts.resolve("hs_err")));
        command.add("-Dpostern.sqlite=" + System.getProperty("postern.sqlite"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.postern.app.Main"));
        command.addAll(List.of(words));
        var run = ScriptRun.of(command.toArray())
                .with("POSTERN_DATA_DIR", data)
                .with("HOME", System.getenv("HOME"))
                .with("LC_ALL", "C.UTF-8");
        environment.forEach(run::with);
        return run;
    }

    ScriptRun.Ended run(String... words) throws IOException {
        return command(words).run();
    }
}
