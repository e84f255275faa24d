package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.cli.render.Streams;
import dev.postern.demo.DemoServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// Runs typical commands in one virtual machine, for the launcher, which keeps what was loaded as the
/// ahead-of-time cache: `light` those that need no server, `full` those that start one. It works in the throw-away
/// directory that `POSTERN_DATA_DIR` names, and prints nothing.
public final class Training {
    private static final List<List<String>> LIGHT = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("config", "check"),
            List.of("config", "schema"),
            List.of("credential", "list"));

    private static final List<List<String>> FULL = List.of(
            List.of("mcp", "status"),
            List.of("mcp", "tools", "demo"),
            List.of("call", "demo", "echo", "text=hi"),
            List.of("--json", "call", "demo", "add", "{\"a\":1,\"b\":2}"),
            List.of("call", "demo", "echo", "text=hi", "more=1"),
            List.of("runs", "list"),
            List.of("--json", "runs", "list"),
            List.of("mcp", "status"));

    private Training() {}

    /// Runs every command of one kind.
    ///
    /// @param args `light` or `full`
    public static void main(String... args) throws IOException {
        configure(Path.of(System.getenv("POSTERN_DATA_DIR")));
        for (var words : args[0].equals("light") ? LIGHT : FULL) {
            var _ = Main.run(
                    new Streams(
                            InputStream.nullInputStream(),
                            OutputStream.nullOutputStream(),
                            OutputStream.nullOutputStream()),
                    words);
        }
    }

    private static void configure(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var config = JsonNodeFactory.instance.objectNode();
        var server = config.putArray("mcpServers").addObject();
        var command = DemoServer.command();
        server.put("id", "demo").put("enabled", true).put("command", command.getFirst());
        var args = server.putArray("args");
        command.subList(1, command.size()).forEach(args::add);
        server.putArray("tools").add("echo").add("add");
        Files.writeString(directory.resolve("config.json"), config.toString());
    }
}
