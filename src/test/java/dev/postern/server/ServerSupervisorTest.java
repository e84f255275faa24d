package dev.postern.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.config.Approval;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import dev.postern.process.Launcher;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.store.DiscoveryRecord;
import dev.postern.store.DiscoveryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Tag("WIR-6")
@org.junit.jupiter.api.Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
class ServerSupervisorTest {
    @TempDir
    Path directory;

    @Test
    @Tag("PRC-5")
    void faultOfOursDuringStartUpAnswersWhoeverWaits() {
        var supervisor = supervisor(() -> {
            throw new StackOverflowError();
        });

        var problem = notReady(supervisor);

        assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(problem.message()).contains("\"it\"", "StackOverflowError");
        assertThat(supervisor.state()).isEqualTo(new ServerState.Failed(problem));
        assertThat(supervisor.stop()).isNull();
    }

    @Test
    void startUpThatHangsAnswersWhoeverWaits() {
        var never = new CompletableFuture<@Nullable DiscoveryRecord>();
        var supervisor = supervisor(never::join);

        var problem = notReady(supervisor);

        assertThat(problem.code()).isEqualTo(ErrorCode.START_DEADLINE);
        assertThat(problem.message()).contains("timeouts.startup");
        assertThat(supervisor.state()).isEqualTo(new ServerState.Failed(problem));
        assertThat(supervisor.stop()).isNull();
        never.complete(null);
    }

    private static Problem notReady(ServerSupervisor supervisor) {
        return switch (supervisor.ready(new Cancellation())) {
            case Readiness.NotReady not -> not.problem();
            case Readiness.Ready ready -> throw new AssertionError(ready);
        };
    }

    /// @param recall what start-up runs into first
    private ServerSupervisor supervisor(Supplier<@Nullable DiscoveryRecord> recall) {
        var environment = HostEnvironment.of(Map.of());
        var discoveries = new DiscoveryStore() {
            @Override
            public @Nullable DiscoveryRecord recall(String server, String entryDigest) {
                return recall.get();
            }

            @Override
            public void remember(String server, DiscoveryRecord discovery) {}
        };
        var surroundings = new Surroundings(
                new Launcher(),
                environment,
                new SecretResolver(environment, new CredentialStore(directory, () -> null)),
                new SecretRegistry(),
                discoveries,
                InstantSource.system());
        var entry = new ServerEntry(
                "it",
                true,
                List.of(),
                List.of(),
                Approval.ASK,
                false,
                ProtocolPin.AUTO,
                Limits.standard(),
                Timeouts.standard().with(Timeout.STARTUP, Duration.ofMillis(100)),
                new Launch.Stdio("/no/such/program", List.of(), null, new TreeMap<>()));
        return new ServerSupervisor(entry, surroundings);
    }
}
