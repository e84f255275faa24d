package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.postern.base.Stopwatch;
import dev.postern.config.ModelProvider;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("MDL-1")
@Timeout(60)
@ExtendWith(LeavesNothingBehind.class)
class LocalOllamaTest {
    private static final String TWO =
            "{\"models\":[{\"name\":\"old:1b\",\"modified_at\":\"2026-01-02T03:04:05.123456789+02:00\"},"
                    + "{\"name\":\"new:8b\",\"modified_at\":\"2026-01-02T02:04:05Z\"},"
                    + "{\"name\":\"a b\",\"modified_at\":\"2026-12-02T02:04:05Z\"},{\"modified_at\":\"2027-01-01T00:00:00Z\"}]}";

    private static @Nullable String found(int status, String body) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/tags", exchange -> {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (exchange) {
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        try {
            var place = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            var model = LocalOllama.find(place, Duration.ofSeconds(30));
            if (model == null) {
                return null;
            }
            assertThat(model.provider()).isEqualTo(ModelProvider.OPENAI);
            assertThat(model.baseUrl()).isEqualTo(URI.create(place + "/v1"));
            assertThat(model.apiKey()).isNull();
            assertThat(model.bounds().contextTokens()).isEqualTo(8_192);
            return model.name();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void takesTheModelThatWasChangedLast() throws IOException {
        assertThat(found(200, TWO)).isEqualTo("new:8b");
    }

    @Test
    void takesOneWhoseDateItCannotRead() throws IOException {
        assertThat(found(200, "{\"models\":[{\"name\":\"only\",\"modified_at\":\"yesterday\"}]}"))
                .isEqualTo("only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"models\":[]}", "{}", "[]", "", "<html>", "{\"models\":", "{\"models\":[1,null,{}]}"})
    void takesNoneWhereNoneIsInstalled(String body) throws IOException {
        assertThat(found(200, body)).isNull();
    }

    @Test
    void takesNoneFromAnotherServer() throws IOException {
        assertThat(found(404, TWO)).isNull();
    }

    @Test
    @Tag("LIM-3")
    void takesNoneFromAnEndlessList() throws IOException {
        assertThat(found(200, TWO + " ".repeat(2 << 20))).isNull();
    }

    @Test
    void takesNoneWhereNobodyListens() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThat(LocalOllama.find(URI.create("http://127.0.0.1:" + port))).isNull();
    }

    @Test
    void waitsNoLongerThanASecondOrSoForASilentOne() throws IOException {
        try (var deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var watch = new Stopwatch();

            assertThat(LocalOllama.find(URI.create("http://127.0.0.1:" + deaf.getLocalPort())))
                    .isNull();
            assertThat(watch.millis()).isLessThan(20_000);
        }
    }
}
