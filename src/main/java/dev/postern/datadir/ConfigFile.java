package dev.postern.datadir;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.config.Config;
import dev.postern.config.ConfigParser;
import dev.postern.config.ConfigResult;
import dev.postern.config.ConfigText;
import dev.postern.config.ConfigWarning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `config.json` in a data directory, and the variables that override it. Reading creates nothing.
///
/// The file is judged before it is opened. That nobody exchanges it in between follows from the directory, which
/// only we can write. On the way of every command: no pattern switches here, each of which would have the JDK
/// generate a class at run time.
public final class ConfigFile {
    private final DataDirectory directory;

    public ConfigFile(DataDirectory directory) {
        this.directory = directory;
    }

    /// Reads the configuration that is in force for this process from now on (CFG-5).
    ///
    /// @param environment the value of a variable, null when it is not set
    /// @param workingDirectory absolute; relative paths in variables resolve against it (CFG-4)
    public Loaded load(Function<String, @Nullable String> environment, Path workingDirectory) {
        var origin = read();
        if (origin.problem != null) {
            return new Loaded.Unreadable(origin.problem);
        }
        // Beside the name config.json, wherever a link may lead: that is where the owner sees it.
        var file = origin.bytes == null
                ? null
                : ConfigText.ofUtf8(directory.config().toString(), directory.path(), origin.bytes);
        var servers = variable(ConfigParser.SERVERS_VARIABLE, environment, workingDirectory);
        var toolBytes = variable(ConfigParser.TOOL_BYTES_VARIABLE, environment, workingDirectory);
        var result = ConfigParser.parse(file, servers, toolBytes);
        if (result instanceof ConfigResult.Accepted accepted) {
            return new Loaded.Ready(accepted.config(), accepted.warnings(), origin);
        }
        return new Loaded.Invalid((ConfigResult.Rejected) result);
    }

    private static @Nullable ConfigText variable(
            String name, Function<String, @Nullable String> environment, Path workingDirectory) {
        String value = environment.apply(name);
        return value == null ? null : ConfigText.of(name, workingDirectory, value);
    }

    /// Whether the file says now what it said then, byte for byte (CFG-5). A file that became unreadable
    /// differs.
    public boolean same(Origin origin) {
        return origin.same(read());
    }

    private Origin read() {
        var checked = directory.check();
        if (checked instanceof DataDirectory.Checked.Refused refused) {
            return new Origin(null, refused.problem());
        }
        return checked instanceof DataDirectory.Checked.Ready ? readFile(directory.config()) : Origin.NOTHING;
    }

    private Origin readFile(Path file) {
        try {
            var link = FileFacts.of(file, LinkOption.NOFOLLOW_LINKS);
            var problem = link.isLink()
                    ? judge(file.toRealPath(), FileFacts.of(file), null, directory.user())
                    : judge(file, link, FileFacts.of(file.resolveSibling(".")), directory.user());
            return problem == null ? readBytes(file) : new Origin(null, problem);
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(file)
                    ? refused(
                            file + " is a symbolic link that leads nowhere.",
                            "Create what it points to, or remove the link: rm " + Problems.quoted(file))
                    : Origin.NOTHING;
        } catch (IOException e) {
            return refused(
                    file + " can't be read: " + IoReason.of(e) + ".",
                    "Make it readable for yourself: chmod 600 " + Problems.quoted(file));
        }
    }

    private static Origin readBytes(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(ConfigText.MAX_BYTES + 1);
            if (bytes.length <= ConfigText.MAX_BYTES) {
                return new Origin(bytes, null);
            }
        }
        return refused(
                file + " is larger than the " + ConfigText.MAX_BYTES + " bytes that a configuration may have.",
                "Check that it is the right file, and shorten it.");
    }

    /// Why a file may not be read, or null. It says which programs run, so nobody else may be able to write it;
    /// root may, as it may do anything.
    ///
    /// @param around the directory that alone leads to it, which may bar others from it whatever its own mode;
    ///     null when there may be other ways
    static @Nullable Problem judge(Path file, FileFacts facts, @Nullable FileFacts around, long user) {
        if (!facts.isRegularFile()) {
            return new Problem(
                    ErrorCode.CONFIG_UNREADABLE,
                    file + " is not a regular file.",
                    "Replace it by a file, or remove it to configure nothing.");
        }
        if (facts.owner() != user && facts.owner() != 0) {
            return Problems.foreign("The file", file, facts, user);
        }
        boolean group = facts.groupCanWrite() && (around == null || around.groupCanEnter());
        boolean others = facts.othersCanWrite() && (around == null || around.othersCanEnter());
        return group || others ? Problems.writable("The file", file, facts, "go-w") : null;
    }

    private static Origin refused(String message, String next) {
        return new Origin(null, new Problem(ErrorCode.CONFIG_UNREADABLE, message, next));
    }

    /// What became of the configuration.
    public sealed interface Loaded {
        record Ready(Config config, List<ConfigWarning> warnings, Origin origin) implements Loaded {}

        /// Read, and wrong; nothing is started (CFG-1).
        record Invalid(ConfigResult.Rejected rejected) implements Loaded {}

        /// Not even read.
        record Unreadable(Problem problem) implements Loaded {}
    }

    /// What a configuration was read from, kept to notice later that the file has changed. Immutable.
    public static final class Origin {
        private static final Origin NOTHING = new Origin(null, null);

        /// Null when there is no file.
        private final byte @Nullable [] bytes;

        /// Why it could not be read, or null.
        private final @Nullable Problem problem;

        private Origin(byte @Nullable [] bytes, @Nullable Problem problem) {
            this.bytes = bytes;
            this.problem = problem;
        }

        private boolean same(Origin other) {
            return problem == null && other.problem == null && Arrays.equals(bytes, other.bytes);
        }
    }
}
