package dev.postern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CLI-7")
class DemoServerIT {
    @Test
    void runsAsAProgramOfItsOwnAndEndsWithItsInput() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(DemoServer.command());
        builder.environment().clear();
        builder.environment().put(DemoServer.TOKEN_VARIABLE, "s3cret-token");
        var process = builder.start();
        try (var in = process.getOutputStream()) {
            in.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(StandardCharsets.UTF_8));
        }

        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(out).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
        assertThat(err).isEmpty();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
