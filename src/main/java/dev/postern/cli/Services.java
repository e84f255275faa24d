package dev.postern.cli;

import dev.postern.base.Answer;
import dev.postern.base.Problem;
import dev.postern.config.ModelSettings;
import dev.postern.config.ServerEntry;
import dev.postern.datadir.ConfigFile.Loaded;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.Host;
import dev.postern.host.Records;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.SecretResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the commands need from the rest of the program. Nothing behind it is loaded before a command asks.
public interface Services {
    /// The data directory in force (DIR-1), as [DataDirectory#locate] finds it; it need not exist.
    ///
    /// @param chosen the value of `--data-dir`, or null
    Answer<DataDirectory> dataDirectory(@Nullable String chosen);

    /// Whether commands that name no directory, by option or variable, find this one.
    boolean usual(DataDirectory directory);

    /// A data directory at a known place, such as a temporary one.
    DataDirectory dataDirectoryAt(Path path);

    /// A new directory for a demonstration, ours alone, in the system's place for such things. What demonstrations
    /// that were killed left there is gone by then. Whoever asks removes it.
    Path temporaryDirectory() throws IOException;

    /// Reads the configuration of a data directory, and what the environment says instead where that counts.
    Loaded configuration(DataDirectory directory, Environment environment);

    /// Whether the file of a configuration in force says something else by now, or can't be read any more
    /// (CFG-5).
    boolean configurationChanged(DataDirectory directory, Loaded.Ready inForce);

    /// A host over an accepted configuration. It starts no server before it is asked to.
    Host host(DataDirectory directory, Loaded.Ready configuration);

    /// What was recorded in a data directory. Makes nothing there (STO).
    Records records(DataDirectory directory);

    /// The protected files that hold secrets (SEC-2).
    CredentialStore credentials(DataDirectory directory);

    /// Resolves references as a server of this directory would get them.
    SecretResolver secrets(DataDirectory directory);

    /// A file that the command line names, relative to the working directory of whoever gave it.
    ///
    /// @throws java.nio.file.NoSuchFileException when there is none
    InputStream open(String file) throws IOException;

    Machine machine();

    /// The worker, this process or another.
    Worker worker();

    /// The worker's process, if it holds an instance of `server` that a call of this command does not use; else
    /// null.
    @Nullable
    Long otherHolder(DataDirectory directory, String server);

    /// A variable of this process's environment, for the bundled demo server; null when not set.
    @Nullable
    String variable(String name);

    /// Whether `POSTERN_MCP_SERVERS` and `POSTERN_TOOL_BYTES` count.
    enum Environment {
        COUNTS,
        /// For a demonstration, which must not meet the servers of its user.
        IGNORED
    }

    /// What `doctor` looks at besides (CLI-7). Starts nothing.
    interface Machine {
        /// The program that a server would start, or why there is none.
        Answer<Path> command(ServerEntry server);

        /// How servers are contained here, such as `bwrap`; a problem when they are not.
        Answer<String> containment();

        /// Whether calls can be recorded, and where. Changes and makes nothing.
        Answer<String> records(DataDirectory directory);

        /// What hosts that were killed left of their servers, and files of the run ledger that are no entries. Ends
        /// and changes nothing.
        List<Problem> leftovers(DataDirectory directory);

        /// The model that a chat takes where none is configured; null where there is none. Looks on this machine
        /// only, for half a second at most (MDL-1).
        @Nullable
        ModelSettings localModel();
    }
}
