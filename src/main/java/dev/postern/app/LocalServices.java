package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.base.Ids;
import dev.postern.call.CallService;
import dev.postern.call.DurableCallLedger;
import dev.postern.cli.Services;
import dev.postern.cli.Worker;
import dev.postern.config.Config;
import dev.postern.control.SocketPlace;
import dev.postern.datadir.ConfigFile;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.LocalHost;
import dev.postern.host.Records;
import dev.postern.host.StoredRecords;
import dev.postern.model.TokenEstimate;
import dev.postern.natives.Users;
import dev.postern.process.Containment.Kind;
import dev.postern.process.Launcher;
import dev.postern.process.Toolbox;
import dev.postern.run.AgentRuns;
import dev.postern.run.builtin.BuiltinSource;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.server.SecretRegistry;
import dev.postern.server.ServerPool;
import dev.postern.server.Surroundings;
import dev.postern.server.ToolSource;
import dev.postern.store.DiscoveryFiles;
import dev.postern.store.LazyStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Wires the services of one command by hand: each object is made when a command asks for it, and nothing
/// before. This is the local scope of WRK-3: servers end with the command.
final class LocalServices implements Services {
    private final HostEnvironment environment;
    private final Path workingDirectory;
    private final InstantSource time;
    private volatile @Nullable Host opened;

    LocalServices(HostEnvironment environment, Path workingDirectory, InstantSource time) {
        this.environment = environment;
        this.workingDirectory = workingDirectory;
        this.time = time;
    }

    @Override
    public Answer<DataDirectory> dataDirectory(@Nullable String chosen) {
        var located = DataDirectory.locate(
                chosen, environment::get, System.getProperty("os.name"), workingDirectory, Users::effectiveId);
        return switch (located) {
            case DataDirectory.Located.Found found -> new Answer.Here<>(found.directory());
            case DataDirectory.Located.Nowhere nowhere -> new Answer.Not<>(nowhere.problem());
        };
    }

    @Override
    public boolean usual(DataDirectory directory) {
        var located = DataDirectory.locate(
                null,
                name -> name.equals("POSTERN_DATA_DIR") ? null : environment.get(name),
                System.getProperty("os.name"),
                workingDirectory,
                Users::effectiveId);
        return located instanceof DataDirectory.Located.Found found
                && found.directory().path().equals(directory.path());
    }

    @Override
    public DataDirectory dataDirectoryAt(Path path) {
        return new DataDirectory(path, Users::effectiveId);
    }

    @Override
    public Path temporaryDirectory() throws IOException {
        var chosen = environment.get("TMPDIR");
        boolean usable = chosen != null && chosen.startsWith("/");
        var scratch = new Scratch(Path.of(usable ? chosen : System.getProperty("java.io.tmpdir")));
        scratch.sweep();
        return scratch.make();
    }

    @Override
    public Loaded configuration(DataDirectory directory, Environment which) {
        Function<String, @Nullable String> variables = switch (which) {
            case COUNTS -> environment::get;
            case IGNORED -> name -> null;
        };
        return new ConfigFile(directory).load(variables, workingDirectory);
    }

    @Override
    public boolean configurationChanged(DataDirectory directory, Loaded.Ready inForce) {
        return !new ConfigFile(directory).same(inForce.origin());
    }

    @Override
    public Host host(DataDirectory directory, Loaded.Ready configuration) {
        return host(directory, configuration, new Recording(directory, time).toWrite());
    }

    /// @param store where calls are recorded; closed by the host
    Host host(DataDirectory directory, Loaded.Ready configuration, LazyStore store) {
        var surroundings = new Surroundings(
                new Launcher(Toolbox.system(), Kind.BWRAP, new DataPremises(directory)),
                environment,
                secrets(directory),
                new SecretRegistry(),
                discoveries(directory),
                time);
        var config = configuration.config();
        var pool = new ServerPool(config, surroundings);
        var calls = new CallService(new DurableCallLedger(store, config.retention()), new Ids(time), time);
        var host = new LocalHost(pool, calls, () -> runs(config, surroundings, pool, calls, store));
        opened = host;
        return host;
    }

    private AgentRuns runs(
            Config config, Surroundings surroundings, ServerPool pool, CallService calls, LazyStore store) {
        var secrets = surroundings.secrets();
        var shared = new ArrayList<ToolSource>(pool.supervisors());
        shared.add(new BuiltinSource(store, secrets::redactor, time));
        var means = new AgentRuns.Means(
                calls,
                store,
                new ConfiguredModel(config.model(), surroundings.resolver(), secrets),
                secrets::redactor,
                TokenEstimate.COUNT,
                new AgentRuns.Means.Clock(new Ids(time), time));
        return new AgentRuns(means, new AgentRuns.Supplies(shared, List.of()), config.run());
    }

    @Override
    public Records records(DataDirectory directory) {
        return new StoredRecords(new Recording(directory, time)::toRead);
    }

    private static DiscoveryFiles discoveries(DataDirectory directory) {
        return new DiscoveryFiles(
                () -> directory.checkRun() instanceof DataDirectory.Checked.Ready ? directory.run() : null,
                () -> directory.createRun() == null ? directory.run() : null);
    }

    @Override
    public CredentialStore credentials(DataDirectory directory) {
        return new CredentialStore(directory.path(), directory::create);
    }

    @Override
    public SecretResolver secrets(DataDirectory directory) {
        return new SecretResolver(environment, credentials(directory));
    }

    @Override
    public InputStream open(String file) throws IOException {
        var path = workingDirectory.resolve(file);
        if (Files.isDirectory(path)) {
            throw new IOException("it is a directory");
        }
        return Files.newInputStream(path);
    }

    @Override
    public Worker worker() {
        return new LocalWorker(this, time);
    }

    @Override
    public @Nullable Long otherHolder(DataDirectory directory, String server) {
        return Files.exists(SocketPlace.in(directory.run()))
                ? new LocalWorker(this, time).holderOf(directory, server)
                : null;
    }

    @Override
    public Machine machine() {
        return new ThisMachine(environment);
    }

    @Override
    public @Nullable String variable(String name) {
        return environment.get(name);
    }

    /// Whether a host was opened, which may have started servers.
    boolean hasServers() {
        return opened != null;
    }

    /// Has the servers of the host that was opened ended at once.
    void hurry() {
        var host = opened;
        if (host != null) {
            host.hurry();
        }
    }
}
