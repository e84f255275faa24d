package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ShellText;
import dev.postern.datadir.DataDirectory;
import dev.postern.process.Background;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The unit that has the system start the worker with the user's session: for systemd, or a LaunchAgent on
/// macOS, which nobody has verified. It saves the data directory and nothing else (WRK-5).
final class WorkerUnit {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SERVICE = "postern.service";
    private static final String AGENT = "dev.postern.worker";

    private final Function<String, @Nullable String> variable;
    private final boolean mac = System.getProperty("os.name", "").startsWith("Mac");

    WorkerUnit(Function<String, @Nullable String> variable) {
        this.variable = variable;
    }

    Answer<List<String>> install(DataDirectory directory) {
        var launcher = System.getProperty("postern.launcher");
        var unit = place();
        if (launcher == null || unit == null) {
            return failed("HOME is not set, or this program was not started by its launcher.", "Use deploy/postern.");
        }
        var template = Path.of(launcher).resolveSibling(mac ? "launchd/" + AGENT + ".plist" : "systemd/" + SERVICE);
        try {
            var text = Files.readString(template)
                    .replace("@LAUNCHER@", quoted(launcher))
                    .replace("@DATA_DIR@", quoted(directory.path().toString()));
            Files.createDirectories(unit.resolveSibling("."));
            Files.writeString(unit, text);
        } catch (IOException e) {
            return failed(
                    "The unit " + unit + " can't be written: " + e.getMessage() + ".",
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
            return failed("No unit of a worker is installed.", "Nothing is left to be done.");
        }
        var steps = new ArrayList<String>();
        boolean disabled = mac
                ? Background.succeeds(PATIENCE, "launchctl", "unload", "-w", unit.toString())
                : Background.succeeds(PATIENCE, "systemctl", "--user", "disable", "--now", SERVICE);
        try {
            Files.delete(unit);
        } catch (IOException e) {
            return failed("The unit " + unit + " can't be removed: " + e.getMessage() + ".", "Remove it yourself.");
        }
        steps.add("Removed " + unit + ".");
        steps.add(disabled ? "Its worker has ended." : "Nobody here could end its worker: `postern worker stop` does.");
        return new Answer.Here<>(steps);
    }

    private boolean enable(Path unit) {
        return mac
                ? Background.succeeds(PATIENCE, "launchctl", "load", "-w", unit.toString())
                : Background.succeeds(PATIENCE, "systemctl", "--user", "daemon-reload")
                        && Background.succeeds(PATIENCE, "systemctl", "--user", "enable", "--now", SERVICE);
    }

    private String enabling(Path unit) {
        return mac
                ? "launchctl load -w " + ShellText.quoted(unit.toString())
                : "systemctl --user daemon-reload && systemctl --user enable --now " + SERVICE;
    }

    private @Nullable Path place() {
        var home = variable.apply("HOME");
        if (mac) {
            return home == null ? null : Path.of(home, "Library/LaunchAgents", AGENT + ".plist");
        }
        var config = variable.apply("XDG_CONFIG_HOME");
        if (config != null && config.startsWith("/")) {
            return Path.of(config, "systemd/user", SERVICE);
        }
        return home == null ? null : Path.of(home, ".config/systemd/user", SERVICE);
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
