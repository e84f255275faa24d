package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Timeout;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the server does when something is short.
@Tag("WRK-2")
class ControlServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path run;

    private final Service service = new Service();
    private Path socket;
    private ServerSocketChannel bound;

    @BeforeEach
    void binds() throws IOException {
        socket = run.resolve("control.sock");
        bound = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    @AfterEach
    void unbinds() throws IOException {
        bound.close();
    }

    private Client client() {
        return Objects.requireNonNull(Client.connect(run, PATIENCE));
    }

    @Test
    void anErrorWhileAcceptingDoesNotEndTheAcceptorAndIsLoggedOnceWithACount() {
        try (var server = new ControlServer(
                        new Failing(bound, 3), new Gatekeeper(socket, "NONE", pids -> false), service);
                var client = client()) {
            assertThat(client.status()).isInstanceOf(Answer.Here.class);
            assertThat(service.logged)
                    .containsExactly(
                            "the control socket could not be served: OutOfMemoryError",
                            "the control socket is served again, after 3 failures");
            server.stopAccepting();
        }
    }

    @Test
    void anErrorInARequestFreesItsPlaceAndTheNextIsServed() throws IOException {
        try (var server = new ControlServer(bound, new Gatekeeper(socket, "NONE", pids -> false), service)) {
            service.refusing = new AssertionError("none of the client's business");
            try (var client = client();
                    var in = new FileInputStream("/dev/null")) {
                var streams = new OwnStreams(in, OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
                var ended = client.run(new RunRequest(List.of("mcp", "status"), run, run, 0, "", false), streams);
                assertThat(ended.local()).isTrue();
            }
            server.awaitIdle(Deadline.after(PATIENCE, Timeout.CLOSE), new Cancellation());

            assertThat(server.clients()).isZero();
            try (var client = client()) {
                assertThat(client.status()).isInstanceOf(Answer.Here.class);
            }
            assertThat(service.logged).containsExactly("a client could not be served: AssertionError");
        }
    }

    private static final class Service implements ControlService {
        final List<String> logged = new CopyOnWriteArrayList<>();

        @Nullable
        volatile Error refusing;

        @Override
        public @Nullable Refusal refusal(RunRequest request) {
            var error = refusing;
            if (error != null) {
                throw error;
            }
            return null;
        }

        @Override
        public int run(RunRequest request, ClientStreams client, Cancellation cancellation) {
            return 0;
        }

        @Override
        public ObjectNode status() {
            return Protocol.object();
        }

        @Override
        public Duration patience() {
            return Duration.ZERO;
        }

        @Override
        public void stop() {}

        @Override
        public void log(String event) {
            logged.add(event);
        }
    }

    /// A listener that fails a few times, as where no memory for a thread is left.
    private static final class Failing extends ServerSocketChannel {
        private final ServerSocketChannel real;
        private final AtomicInteger failures;

        Failing(ServerSocketChannel real, int failures) {
            super(real.provider());
            this.real = real;
            this.failures = new AtomicInteger(failures);
        }

        @Override
        public SocketChannel accept() throws IOException {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return real.accept();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            real.close();
        }

        @Override
        protected void implConfigureBlocking(boolean block) throws IOException {
            real.configureBlocking(block);
        }

        @Override
        public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getOption(SocketOption<T> name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return Set.of();
        }

        @Override
        public ServerSocket socket() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return real.getLocalAddress();
        }
    }
}
