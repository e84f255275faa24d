package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A worker that is stuck holds up nobody for longer than they want.
@Tag("WRK-2")
@Timeout(30)
class ClientTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    @TempDir
    private Path run;

    private UnixDomainSocketAddress address;

    @BeforeEach
    void names() {
        address = UnixDomainSocketAddress.of(run.resolve("control.sock"));
    }

    @Test
    void givesUpWhereNobodyLetsTheConnectionIn() throws IOException {
        var waiting = new ArrayList<SocketChannel>();
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(address, 1);
            boolean full = false;
            while (!full) {
                var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                waiting.add(channel);
                channel.configureBlocking(false);
                full = !connected(channel);
            }

            try (var client = Objects.requireNonNull(Client.connect(run, PATIENCE))) {
                assertThat(client.status()).isInstanceOf(Answer.Not.class);
            }
        } finally {
            for (var channel : waiting) {
                channel.close();
            }
        }
    }

    private boolean connected(SocketChannel channel) {
        try {
            return channel.connect(address);
        } catch (IOException full) {
            return false;
        }
    }

    @Test
    void givesUpWhereNobodyReadsWhatItWrites() throws IOException {
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(address);
            var words = List.of("call", "s", "echo", "text=" + "x".repeat(Protocol.FRAME_BYTES - 1_000));
            try (var client = Objects.requireNonNull(Client.connect(run, PATIENCE))) {
                var streams = new OwnStreams(
                        new FileInputStream("/dev/null"),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream());

                var ended = client.run(new RunRequest(words, run, run, 0, "", false), streams);

                assertThat(ended.local()).isFalse();
                assertThat(ended.problem()).isNotNull().extracting("message").isEqualTo("The worker does not answer.");
            }
        }
    }

    @Test
    void isNobodyWhereNobodyListens() {
        assertThat(Client.connect(run, PATIENCE)).isNull();
    }
}
