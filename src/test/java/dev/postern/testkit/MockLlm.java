package dev.postern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A stranger's server that speaks OpenAI's API, from npm, as `src/test/interop` pins it.
public final class MockLlm implements AutoCloseable {
    private static final Path PROGRAM = Path.of(
            System.getProperty("postern.interop", "src/test/interop"), "node_modules/@dwmkerr/mock-llm/dist/main.js");

    private final Process process;
    private final int port;

    private MockLlm(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// Starts one on loopback; skips the test where the server is not installed.
    ///
    /// @param dir where its configuration and its log go
    /// @param config in its own words, as YAML
    public static MockLlm start(Path dir, String config) throws IOException {
        assumeTrue(
                Files.exists(PROGRAM),
                "skipped: the server is not installed; run npm ci --ignore-scripts in src/test/interop");
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var file = Files.writeString(dir.resolve("mock-llm.yaml"), config);
        var builder = new ProcessBuilder("node", PROGRAM.toAbsolutePath().toString(), "--config", file.toString());
        builder.environment().putAll(System.getenv());
        builder.environment().put("HOST", "127.0.0.1");
        builder.environment().put("PORT", Integer.toString(port));
        var process = builder.redirectErrorStream(true)
                .redirectOutput(dir.resolve("mock-llm.log").toFile())
                .start();
        var server = new MockLlm(process, port);
        await().atMost(Duration.ofMinutes(1)).until(() -> server.listens() || !process.isAlive());
        return server;
    }

    private boolean listens() {
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connection.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// What to configure as `model.baseUrl`.
    public URI baseUrl() {
        return URI.create("http://127.0.0.1:" + port + "/v1");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
