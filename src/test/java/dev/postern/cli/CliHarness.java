package dev.postern.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Streams;
import dev.postern.cli.render.Terminal;
import dev.postern.config.ModelSettings;
import dev.postern.config.ServerEntry;
import dev.postern.datadir.ConfigFile;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.datadir.DataDirectory.Checked;
import dev.postern.datadir.DataDirectory.Located;
import dev.postern.host.Host;
import dev.postern.host.Records;
import dev.postern.host.RecordsCheck;
import dev.postern.host.StoredRecords;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.testkit.SoleOwner;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The command line with captured streams, a host that a test decides, and the real data directory and
/// configuration in a temporary place.
final class CliHarness implements Services {
    final FakeHost host = new FakeHost();
    final Map<String, String> environment = new HashMap<>();
    final Cancellation cancellation = new Cancellation();
    final List<Path> hostsOpened = new ArrayList<>();
    final Path directory;
    /// Whether commands find the directory without being told.
    boolean usual = true;

    Runnable whenHostOpened = () -> {};
    Answer<String> containment = new Answer.Here<>("bwrap");
    List<Problem> leftovers = List.of();

    @Nullable
    ModelSettings localModel;

    Terminal terminal = Terminal.NONE;
    final FakeWorker worker = new FakeWorker();

    @Nullable
    Long holder;

    InputStream in = InputStream.nullInputStream();

    @Nullable
    OutputStream out;

    @Nullable
    Cli running;

    CliHarness(Path temporary) {
        directory = temporary.resolve("data");
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CliHarness config(String json) {
        try {
            Files.writeString(directory.resolve("config.json"), json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /// What is typed when it is read, and not before.
    CliHarness input(String text) {
        in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int available() {
                return 0;
            }
        };
        return this;
    }

    /// What a command did.
    record Result(int code, String out, String err) {
        JsonNode json() {
            return FakeHost.json(out);
        }

        ObjectNode object() {
            return (ObjectNode) json();
        }
    }

    Result run(String... words) {
        var output = new ByteArrayOutputStream();
        var error = new ByteArrayOutputStream();
        var cli = new Cli(new Streams(in, out == null ? output : out, error), terminal, this, cancellation);
        running = cli;
        int code = cli.run(List.of(words));
        return new Result(
                code, shown(output.toString(StandardCharsets.UTF_8)), shown(error.toString(StandardCharsets.UTF_8)));
    }

    private String shown(String text) {
        return text.replace(directory.toString(), "DATA");
    }

    @Override
    public Answer<DataDirectory> dataDirectory(@Nullable String chosen) {
        return switch (DataDirectory.locate(
                chosen == null ? directory.toString() : chosen, environment::get, "Linux", directory, this::user)) {
            case Located.Found found -> new Answer.Here<>(found.directory());
            case Located.Nowhere nowhere -> new Answer.Not<>(nowhere.problem());
        };
    }

    @Override
    public boolean usual(DataDirectory at) {
        return usual;
    }

    private long user() {
        try {
            return ((Integer) Files.getAttribute(directory, "unix:uid")).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public DataDirectory dataDirectoryAt(Path path) {
        return new DataDirectory(path, this::user);
    }

    @Override
    public Path temporaryDirectory() throws IOException {
        return Files.createTempDirectory("postern-quickstart-");
    }

    @Override
    public Loaded configuration(DataDirectory at, Environment counts) {
        return new ConfigFile(at).load(name -> counts == Environment.COUNTS ? environment.get(name) : null, directory);
    }

    @Override
    public boolean configurationChanged(DataDirectory at, Loaded.Ready inForce) {
        return !new ConfigFile(at).same(inForce.origin());
    }

    @Override
    public Host host(DataDirectory at, Loaded.Ready configuration) {
        hostsOpened.add(at.path());
        whenHostOpened.run();
        return host;
    }

    @Override
    public Records records(DataDirectory at) {
        return new StoredRecords(() -> switch (at.checkDatabase(false)) {
            case Checked.Absent _ -> null;
            case Checked.Refused refused -> throw new StoreException(refused.problem());
            case Checked.Ready _ ->
                new StoredRecords.Opened(Store.open(at.database(), SampleRecords.OWNERS, SampleRecords.CLOCK), false);
        });
    }

    @Override
    public CredentialStore credentials(DataDirectory at) {
        return new CredentialStore(at.path(), at::create);
    }

    @Override
    public SecretResolver secrets(DataDirectory at) {
        return new SecretResolver(HostEnvironment.of(environment), credentials(at));
    }

    @Override
    public Machine machine() {
        return new Machine() {
            @Override
            public Answer<Path> command(ServerEntry server) {
                return server.id().equals("lost")
                        ? new Answer.Not<>(new Problem(
                                ErrorCode.START_COMMAND_NOT_FOUND,
                                "The command lost-server is in none of /usr/bin, /bin.",
                                "Install it, or write its full path."))
                        : new Answer.Here<>(Path.of("/usr/bin/server"));
            }

            @Override
            public Answer<String> containment() {
                return containment;
            }

            @Override
            public Answer<String> records(DataDirectory at) {
                return RecordsCheck.of(at, new SoleOwner());
            }

            @Override
            public List<Problem> leftovers(DataDirectory directory) {
                return leftovers;
            }

            @Override
            public @Nullable ModelSettings localModel() {
                return localModel;
            }
        };
    }

    @Override
    public InputStream open(String file) throws IOException {
        return Files.newInputStream(Path.of(file));
    }

    @Override
    public Worker worker() {
        return worker;
    }

    @Override
    public @Nullable Long otherHolder(DataDirectory at, String server) {
        return holder;
    }

    @Override
    public @Nullable String variable(String name) {
        return environment.get(name);
    }
}
