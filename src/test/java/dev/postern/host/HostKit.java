package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Ids;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.call.CallLedger;
import dev.postern.call.CallReport;
import dev.postern.call.CallService;
import dev.postern.call.MemoryCallLedger;
import dev.postern.config.Approval;
import dev.postern.config.Config;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import dev.postern.datadir.DataDirectory;
import dev.postern.natives.Users;
import dev.postern.process.Launcher;
import dev.postern.secret.SecretRef;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.server.SecretRegistry;
import dev.postern.server.ServerPool;
import dev.postern.server.Surroundings;
import dev.postern.store.DiscoveryFiles;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A real host over scripted servers: everything but the command line.
final class HostKit implements AutoCloseable {
    final MemoryCallLedger ledger = new MemoryCallLedger();
    final Host host;

    private HostKit(
            Path dataDir, List<ServerEntry> servers, Map<String, String> environment, @Nullable CallLedger other) {
        this(
                dataDir,
                new Config(servers, Limits.standard(), Timeouts.standard()),
                environment,
                other,
                InstantSource.system());
    }

    private HostKit(
            Path dataDir,
            Config config,
            Map<String, String> environment,
            @Nullable CallLedger other,
            InstantSource time) {
        var hostEnvironment = HostEnvironment.of(environment);
        var data = new DataDirectory(dataDir, Users::effectiveId);
        var surroundings = new Surroundings(
                new Launcher(),
                hostEnvironment,
                new SecretResolver(hostEnvironment, new CredentialStore(dataDir, data::create)),
                new SecretRegistry(),
                new DiscoveryFiles(data::run, () -> data.createRun() == null ? data.run() : null),
                time);
        var pool = new ServerPool(config, surroundings);
        host = new LocalHost(pool, new CallService(other == null ? ledger : other, new Ids(time), time), () -> {
            throw new IllegalStateException("no agents here");
        });
    }

    static HostKit of(Path dataDir, Server... servers) {
        return of(dataDir, Map.of(), servers);
    }

    /// One that is configured as a file would do it.
    static HostKit of(Path dataDir, Config config) {
        var environment = Map.of("PATH", System.getenv("PATH"), "HOME", System.getenv("HOME"));
        return new HostKit(dataDir, config, environment, null, InstantSource.system());
    }

    /// One with a clock of its own.
    static HostKit at(InstantSource time, Path dataDir, Server... servers) {
        var entries = new ArrayList<ServerEntry>();
        for (var server : servers) {
            entries.add(server.entry());
        }
        var environment = Map.of("PATH", System.getenv("PATH"), "HOME", System.getenv("HOME"));
        return new HostKit(
                dataDir, new Config(entries, Limits.standard(), Timeouts.standard()), environment, null, time);
    }

    /// One whose calls are recorded by `ledger`.
    static HostKit of(Path dataDir, CallLedger ledger, Server... servers) {
        return of(dataDir, Map.of(), ledger, servers);
    }

    static HostKit of(Path dataDir, Map<String, String> environment, Server... servers) {
        return of(dataDir, environment, null, servers);
    }

    static HostKit of(Path dataDir, Map<String, String> environment, @Nullable CallLedger ledger, Server... servers) {
        var all = new TreeMap<>(Map.of("PATH", System.getenv("PATH"), "HOME", System.getenv("HOME")));
        all.putAll(environment);
        var entries = new ArrayList<ServerEntry>();
        for (var server : servers) {
            entries.add(server.entry());
        }
        return new HostKit(dataDir, entries, all, ledger);
    }

    CallReport call(String server, String tool, String json) {
        return call(server, tool, json, new Cancellation());
    }

    CallReport call(String server, String tool, String json, Cancellation cancellation) {
        var arguments = Json.object(json);
        return host.call(server, tool, schema -> new Answer.Here<>(arguments), cancellation);
    }

    @Override
    public void close() {
        host.close();
    }

    /// An entry under construction.
    static final class Server {
        private final String id;
        private final String command;
        private final List<String> args;
        private final TreeMap<String, SecretRef> environment = new TreeMap<>();
        private List<String> tools = List.of("echo", "add", "fail", "slow");
        private boolean enabled = true;
        private boolean parallel;
        private Approval approval = Approval.ASK;
        private List<String> scheduledTools = List.of();
        private ProtocolPin protocol = ProtocolPin.AUTO;
        private Limits limits = Limits.standard();
        private Timeouts timeouts = Timeouts.standard();

        private Server(String id, String command, List<String> args) {
            this.id = id;
            this.command = command;
            this.args = args;
        }

        static Server of(String id, Script script) {
            return new Server(id, script.command(), script.args());
        }

        static Server of(String id, String command, String... args) {
            return new Server(id, command, List.of(args));
        }

        String id() {
            return id;
        }

        Server tools(String... names) {
            tools = List.of(names);
            return this;
        }

        Server disabled() {
            enabled = false;
            return this;
        }

        Server parallel() {
            parallel = true;
            return this;
        }

        Server approval(Approval kind) {
            approval = kind;
            return this;
        }

        Server scheduledTools(String... names) {
            scheduledTools = List.of(names);
            return this;
        }

        Server protocol(ProtocolPin pin) {
            protocol = pin;
            return this;
        }

        Server limit(Limit limit, int value) {
            limits = limits.with(limit, value);
            return this;
        }

        Server timeout(Timeout timeout, Duration value) {
            timeouts = timeouts.with(timeout, value);
            return this;
        }

        Server variable(String name, SecretRef reference) {
            environment.put(name, reference);
            return this;
        }

        ServerEntry entry() {
            return new ServerEntry(
                    id,
                    enabled,
                    tools,
                    scheduledTools,
                    approval,
                    parallel,
                    protocol,
                    limits,
                    timeouts,
                    new Launch.Stdio(command, args, null, environment));
        }
    }
}
