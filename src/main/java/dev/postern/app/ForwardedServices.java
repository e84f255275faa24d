package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.cli.Services;
import dev.postern.cli.Worker;
import dev.postern.control.ClientStreams;
import dev.postern.control.RunRequest;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.Records;
import dev.postern.host.SharedHost;
import dev.postern.host.StoredRecords;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.SecretResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a forwarded command works with: the worker's configuration, its one host and its open records, the
/// client's directory and files.
final class ForwardedServices implements Services {
    private final LocalServices services;
    private final Loaded.Ready configuration;
    private final SharedHost host;
    private final StoredRecords.Opening recorded;
    private final RunRequest request;
    private final ClientStreams client;

    ForwardedServices(
            LocalServices services,
            Loaded.Ready configuration,
            SharedHost host,
            StoredRecords.Opening recorded,
            RunRequest request,
            ClientStreams client) {
        this.services = services;
        this.configuration = configuration;
        this.host = host;
        this.recorded = recorded;
        this.request = request;
        this.client = client;
    }

    /// The one that the client found; it is the worker's own, by whatever name.
    @Override
    public Answer<DataDirectory> dataDirectory(@Nullable String chosen) {
        return services.dataDirectory(request.dataDir().toString());
    }

    @Override
    public boolean usual(DataDirectory directory) {
        return services.usual(directory);
    }

    @Override
    public DataDirectory dataDirectoryAt(Path path) {
        return services.dataDirectoryAt(path);
    }

    @Override
    public Path temporaryDirectory() throws IOException {
        return services.temporaryDirectory();
    }

    /// As it was when the worker started (CFG-5).
    @Override
    public Loaded configuration(DataDirectory directory, Environment environment) {
        return configuration;
    }

    @Override
    public boolean configurationChanged(DataDirectory directory, Loaded.Ready inForce) {
        return services.configurationChanged(directory, inForce);
    }

    @Override
    public Host host(DataDirectory directory, Loaded.Ready inForce) {
        return host;
    }

    @Override
    public Records records(DataDirectory directory) {
        return new StoredRecords(recorded);
    }

    @Override
    public CredentialStore credentials(DataDirectory directory) {
        return services.credentials(directory);
    }

    @Override
    public SecretResolver secrets(DataDirectory directory) {
        return services.secrets(directory);
    }

    @Override
    public InputStream open(String file) throws IOException {
        return client.open(request.directory().resolve(file).toString());
    }

    @Override
    public Machine machine() {
        return services.machine();
    }

    @Override
    public Worker worker() {
        return services.worker();
    }

    @Override
    public @Nullable Long otherHolder(DataDirectory directory, String server) {
        return null;
    }

    @Override
    public @Nullable String variable(String name) {
        return services.variable(name);
    }
}
