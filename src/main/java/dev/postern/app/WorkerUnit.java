package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import dev.postern.datadir.DataDirectory;
import dev.postern.process.Background;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The unit that has the system start the worker with the user's session: for systemd, or a LaunchAgent on
/// macOS, which nobody has verified. It saves the data directory and nothing else (WRK-5).
final class WorkerUnit {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SERVICE = "postern.service";
    private static final String AGENT = "dev.postern.worker";
    private static final int DIGITS = 8;

    private final Function<String, @Nullable String> variable;
    private final boolean mac = System.getProperty("os.name", "").startsWith("Mac");
    private final DataDirectory directory;
    private final String name;

    /// @param usual whether it is the directory of commands that name none; every other has a unit of its own
    WorkerUnit(Function<String, @Nullable String> variable, DataDirectory directory, boolean usual) {
        this.variable = variable;
        this.directory = directory;
        var own = usual ? "" : (mac ? "." : "-") + digest(directory.path().toString());
        this.name = mac ? AGENT + own : SERVICE.replace(".", own + ".");
    }

    private static String digest(String text) {
        try {
            var bytes = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// @param patience within which the worker ends by itself; the system is not to kill it before
    Answer<List<String>> install(Duration patience) {
        var launcher = System.getProperty("postern.launcher");
        var unit = place();
        if (launcher == null || unit == null) {
            return failed("HOME is not set, or this program was not started by its launcher.", "Use deploy/postern.");
        }
        var template = Path.of(launcher).resolveSibling(mac ? "launchd/" + AGENT + ".plist" : "systemd/" + SERVICE);
        try {
            var text = Files.readString(template)
                    .replace("@LAUNCHER@", quoted(launcher))
                    .replace("@NAME@", name)
                    .replace("@STOP_SECONDS@", Long.toString(patience.toSeconds() + 1))
                    .replace("@DATA_DIR@", quoted(directory.path().toString()));
            Files.createDirectories(unit.resolveSibling("."));
            Files.writeString(unit, text);
        } catch (IOException e) {
            return failed(
                    "The unit " + unit + " can't be written: " + IoReason.of(e) + ".",
                    "Copy " + template + " there yourself, and fill in what stands between @ signs.");
        }
        var steps = new ArrayList<String>(List.of("Wrote " + unit + "."));
        steps.add(
                enable(unit)
                        ? "The worker runs, and starts with your session from now on."
                        : "Nobody here could enable it. Run: " + enabling(unit));
        steps.add("It has no variables of this shell: `postern doctor` shows which references it can't resolve.");
        return new Answer.Here<>(steps);
    }

    Answer<List<String>> uninstall() {
        var unit = place();
        if (unit == null || !Files.exists(unit)) {
            return failed(
                    "No unit is installed for a worker of the data directory " + directory.path() + ".",
                    "Nothing is left to be done; another directory's is named by --data-dir.");
        }
        var steps = new ArrayList<String>();
        boolean disabled = mac
                ? Background.succeeds(PATIENCE, "launchctl", "unload", "-w", unit.toString())
                : Background.succeeds(PATIENCE, "systemctl", "--user", "disable", "--now", name);
        try {
            Files.delete(unit);
        } catch (IOException e) {
            return failed("The unit " + unit + " can't be removed: " + IoReason.of(e) + ".", "Remove it yourself.");
        }
        steps.add("Removed " + unit + ".");
        steps.add(disabled ? "Its worker has ended." : "Nobody here could end its worker: `postern worker stop` does.");
        return new Answer.Here<>(steps);
    }

    private boolean enable(Path unit) {
        return mac
                ? Background.succeeds(PATIENCE, "launchctl", "load", "-w", unit.toString())
                : Background.succeeds(PATIENCE, "systemctl", "--user", "daemon-reload")
                        && Background.succeeds(PATIENCE, "systemctl", "--user", "enable", "--now", name);
    }

    private String enabling(Path unit) {
        return mac
                ? "launchctl load -w " + ShellText.quoted(unit.toString())
                : "systemctl --user daemon-reload && systemctl --user enable --now " + name;
    }

    private @Nullable Path place() {
        var home = variable.apply("HOME");
        if (mac) {
            return home == null ? null : Path.of(home, "Library/LaunchAgents", name + ".plist");
        }
        var config = variable.apply("XDG_CONFIG_HOME");
        if (config != null && config.startsWith("/")) {
            return Path.of(config, "systemd/user", name);
        }
        return home == null ? null : Path.of(home, ".config/systemd/user", name);
    }

    /// As the unit's format wants text that may hold anything.
    private String quoted(String text) {
        return mac
                ? text.replace("&", "&amp;").replace("<", "&lt;")
                : "\""
                        + text.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("%", "%%")
                                .replace("$", "$$") + "\"";
    }

    private static Answer<List<String>> failed(String message, String next) {
        return new Answer.Not<>(new Problem(ErrorCode.WORKER_FAILED, message, next));
    }
}
