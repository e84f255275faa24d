package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.cli.render.Console;
import dev.postern.config.Config;
import dev.postern.config.ConfigParser;
import dev.postern.config.ConfigWarning;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.Records;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a command works with. Confined to the command's thread.
///
/// @param dataDir the value of `--data-dir`
record Session(
        Console console,
        Services services,
        Cancellation cancellation,
        Leftovers leftovers,
        @Nullable String dataDir) {
    static final Problem CANCELLED =
            new Problem(ErrorCode.CANCELLED, "Cancelled.", "Run the command again when you want it after all.");

    /// Tells `problem` and gives its exit code.
    int fail(Problem problem) {
        console.problem(problem);
        return ExitCode.of(problem);
    }

    /// Opens a host over the configuration in force, gives it to `work`, and returns when everything it started
    /// has ended (WRK-3: a local scope). What stands in the way is told.
    int withHost(HostWork work) {
        return withConfiguration((directory, ready) -> opened(directory, ready, work));
    }

    /// As [#withHost(HostWork)], for one server, which must be configured.
    int withServer(String server, HostWork work) {
        return withConfiguration((directory, ready) -> ready.config().server(server) == null
                ? fail(new InForce(services, directory, ready).unknown(server))
                : opened(directory, ready, work));
    }

    private int opened(DataDirectory directory, Loaded.Ready ready, HostWork work) {
        try (var stopping = new Stopping(services.host(directory, ready), console)) {
            int code = work.run(stopping.host, new InForce(services, directory, ready));
            stopping.host.notices().forEach(console::note);
            console.out().flush();
            console.err().flush();
            return code;
        }
    }

    int withConfiguration(ConfigurationWork work) {
        return withDirectory(directory -> switch (services.configuration(directory, Services.Environment.COUNTS)) {
            case Loaded.Ready ready -> work.run(directory, ready);
            case Loaded.Invalid invalid -> ConfigurationText.tell(console, invalid.rejected());
            case Loaded.Unreadable unreadable -> fail(unreadable.problem());
        });
    }

    /// Opens what was recorded; needs no configuration.
    int withRecords(RecordsWork work) {
        return withDirectory(directory -> {
            try (var records = services.records(directory)) {
                return work.run(records);
            }
        });
    }

    int withDirectory(DirectoryWork work) {
        return switch (services.dataDirectory(dataDir)) {
            case Answer.Not<DataDirectory> not -> fail(not.problem());
            case Answer.Here<DataDirectory> directory -> work.run(directory.value());
        };
    }

    /// What a command says that was cancelled while it waited for servers.
    <T> Answer<T> orCancelled(Answer<T> answer) {
        return answer instanceof Answer.Not<T> && cancellation.requested() ? new Answer.Not<>(CANCELLED) : answer;
    }

    /// Stops a host's servers, says so on a terminal while that takes its time, and tells what could not be ended.
    private record Stopping(Host host, Console console) implements AutoCloseable {
        @Override
        public void close() {
            List<Problem> left;
            try (var _ = console.progress("Stopping servers")) {
                left = host.stop();
            }
            left.forEach(each -> console.note(each.message() + " " + each.next()));
        }
    }

    /// The configuration that a host was opened over.
    record InForce(Services services, DataDirectory directory, Loaded.Ready ready) {
        Config config() {
            return ready.config();
        }

        /// That no server of that id is configured, and where it was looked for.
        Problem unknown(String server) {
            if (services.variable(ConfigParser.SERVERS_VARIABLE) != null) {
                return config().unknown(server, ConfigParser.SERVERS_VARIABLE);
            }
            var file = directory.config();
            return Files.exists(file)
                    ? config().unknown(server, file.toString())
                    : new Problem(
                            ErrorCode.USAGE_UNKNOWN_SERVER,
                            "No server \"" + server + "\" is configured: " + file + " does not exist.",
                            "Create it, as the end of `postern quickstart` shows, or name another data directory with "
                                    + Shapes.DATA_DIR + ".");
        }

        List<ConfigWarning> warnings() {
            return ready.warnings();
        }

        /// Whether `config.json` says something else by now (CFG-5).
        boolean changed() {
            return services.configurationChanged(directory, ready);
        }
    }

    interface HostWork {
        int run(Host host, InForce inForce);
    }

    interface RecordsWork {
        int run(Records records);
    }

    interface DirectoryWork {
        int run(DataDirectory directory);
    }

    interface ConfigurationWork {
        int run(DataDirectory directory, Loaded.Ready ready);
    }
}
