package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.config.ModelProvider;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A stranger's server that speaks OpenAI's API, from npm, as `src/test/interop` pins it.
@ExtendWith(LeavesNothingBehind.class)
class ModelInteropIT {
    private static final Path PROGRAM = Path.of(
            System.getProperty("postern.interop", "src/test/interop"), "node_modules/@dwmkerr/mock-llm/dist/main.js");

    private static final String CONFIG = """
            streaming:
              chunkSize: 4
              chunkIntervalMs: 5
            rules:
              - path: "/v1/chat/completions"
                match: "@"
                response:
                  status: 200
                  content: |
                    {"id": "c", "object": "chat.completion", "created": 1, "model": "{{jmes request body.model}}",
                     "choices": [{"message": {"role": "assistant",
                       "content": "{{jmes request headers.authorization}} {{jmes request body.tools[0].function.name}}"},
                       "finish_reason": "stop"}]}
              - path: "/v1/chat/completions"
                match: "contains(body.messages[-1].content, 'wrong key')"
                response:
                  status: 401
                  content: |
                    {"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error",
                     "param": null, "code": "invalid_api_key"}}
            """;

    @TempDir
    private Path dir;

    private @Nullable Process server;
    private int port;

    @BeforeEach
    void startsTheServer() throws IOException {
        assumeTrue(
                Files.exists(PROGRAM),
                "skipped: the server is not installed; run npm ci --ignore-scripts in src/test/interop");
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var config = Files.writeString(dir.resolve("mock-llm.yaml"), CONFIG);
        var builder = new ProcessBuilder("node", PROGRAM.toAbsolutePath().toString(), "--config", config.toString());
        builder.environment().putAll(System.getenv());
        builder.environment().put("HOST", "127.0.0.1");
        builder.environment().put("PORT", Integer.toString(port));
        server = builder.redirectErrorStream(true)
                .redirectOutput(dir.resolve("server.log").toFile())
                .start();
        await().atMost(Duration.ofMinutes(1)).until(this::listens);
    }

    private boolean listens() {
        try (var connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connection.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void endsTheServer() throws InterruptedException {
        if (server != null) {
            server.destroyForcibly();
            assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private Chats.Said ask(String text) {
        var settings = Chats.settings(ModelProvider.OPENAI, URI.create("http://127.0.0.1:" + port + "/v1"));
        try (var chat = ChatModels.open(settings, Chats.KEY)) {
            return Chats.ask(chat, Chats.request(text, Chats.tool("read")));
        }
    }

    @Test
    @Tag("MDL-1")
    void isUnderstoodByAndUnderstandsAnotherServer() {
        var said = ask("hello");

        assertThat(said.answered().text()).isEqualTo("Bearer " + Chats.KEY.reveal() + " read");
        assertThat(said.pieces()).hasSizeGreaterThan(5);
        assertThat(said.answered().usage().estimated()).isTrue();
    }

    @Test
    @Tag("MDL-2")
    void knowsAnErrorThatAnotherServerPutsIntoItsStream() {
        var failed = ask("wrong key").failed();

        assertThat(failed.fault()).isEqualTo(ModelFault.AUTHENTICATION);
        assertThat(failed.problem().message()).contains("Incorrect API key provided.");
    }
}
