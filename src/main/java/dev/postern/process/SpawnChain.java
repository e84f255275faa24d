package dev.postern.process;

import dev.postern.process.Containment.Kind;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command line that starts a server inside one kind of containment: programs that each set something up and
/// then become, or start, the next.
final class SpawnChain {
    /// How arguments are spelled for the kernel.
    private static final Charset ARGUMENTS = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Kind kind;
    /// Each program of the chain with its own arguments, outermost first.
    private final List<List<String>> stages;
    private final List<String> target;

    private SpawnChain(Kind kind, List<List<String>> stages, List<String> target) {
        this.kind = kind;
        this.stages = stages;
        this.target = target;
    }

    /// The chain of `kind`, or null when a program that it needs is not installed.
    ///
    /// @param target the server's program by its full path, and its arguments
    /// @param view what the server sees, and where it starts
    /// @param userNamespace whether we need one to be allowed the others
    static @Nullable SpawnChain of(Kind kind, Toolbox tools, List<String> target, View view, boolean userNamespace) {
        List<List<String>> stages = new ArrayList<>();
        // Outermost, so that a Ctrl-C in our terminal reaches none of the chain (PRC-7). It stays one process:
        // setsid forks only for the leader of a process group, which a child of ours never is.
        boolean session = stage(stages, tools, "setsid");
        boolean complete = switch (kind) {
            case BWRAP -> bwrap(stages, tools, target, view);
            case UNSHARE -> unshare(stages, tools, userNamespace);
            case PARENT_DEATH -> stage(stages, tools, "setpriv", "--pdeathsig", "KILL", "--");
            case SESSION -> session || otherSession(stages, tools);
            case NONE -> true;
        };
        if (!complete) {
            return null;
        }
        return new SpawnChain(kind, kind == Kind.NONE ? List.of() : stages, target);
    }

    private static boolean otherSession(List<List<String>> stages, Toolbox tools) {
        List<String> stage = tools.ownSession();
        return !stage.isEmpty() && stages.add(stage);
    }

    private static boolean bwrap(List<List<String>> stages, Toolbox tools, List<String> target, View view) {
        List<String> arguments = new ArrayList<>(List.of(
                "--unshare-pid", "--die-with-parent", "--new-session", "--dev-bind", "/", "/", "--proc", "/proc"));
        arguments.addAll(view.arguments());
        arguments.add("--");
        boolean complete = stage(stages, tools, "bwrap", arguments.toArray(new String[0]));
        // bwrap sets PWD, which is not among the variables that a child gets (SEC-4). env would take a program
        // with = in its path for a variable; such a one keeps PWD.
        if (complete && (target.isEmpty() || target.getFirst().indexOf('=') < 0)) {
            stage(stages, tools, "env", "-u", "PWD");
        }
        return complete;
    }

    private static boolean unshare(List<List<String>> stages, Toolbox tools, boolean userNamespace) {
        List<String> arguments = new ArrayList<>();
        if (userNamespace) {
            arguments.add("--map-current-user");
        }
        arguments.addAll(List.of("--pid", "--fork", "--mount-proc", "--kill-child", "--"));
        return stage(stages, tools, "setpriv", "--pdeathsig", "KILL", "--")
                && stage(stages, tools, "unshare", arguments.toArray(new String[0]));
    }

    private static boolean stage(List<List<String>> stages, Toolbox tools, String name, String... arguments) {
        String program = tools.find(name);
        if (program == null) {
            return false;
        }
        List<String> stage = new ArrayList<>();
        stage.add(program);
        stage.addAll(List.of(arguments));
        stages.add(stage);
        return true;
    }

    Kind kind() {
        return kind;
    }

    /// Everything, from the outermost program to the server's last argument.
    List<String> command() {
        return from(0);
    }

    /// How many generations below the process we start the server's own process is.
    int depth() {
        return switch (kind) {
            case BWRAP -> 2;
            case UNSHARE -> 1;
            case PARENT_DEATH, SESSION, NONE -> 0;
        };
    }

    /// Whether what the server leaves behind falls to this process ([Orphans]): it is in no namespace, and in a
    /// session that is not ours.
    boolean adopting() {
        return switch (kind) {
            case PARENT_DEATH, SESSION -> true;
            case BWRAP, UNSHARE, NONE -> false;
        };
    }

    /// Whether a process with this command line, as `/proc` shows it, is still a program of the chain and not yet
    /// the server.
    boolean stillSpawning(byte[] commandLine) {
        if (commandLine.length == 0) {
            return true;
        }
        for (int i = 0; i < stages.size(); i++) {
            if (Arrays.equals(commandLine, (String.join("\0", from(i)) + "\0").getBytes(ARGUMENTS))) {
                return true;
            }
        }
        return false;
    }

    /// Whether this line was written by a program of the chain: they all begin with their name.
    boolean complained(String line) {
        for (List<String> stage : stages) {
            String program = stage.getFirst();
            if (line.startsWith(program + ": ")
                    || line.startsWith(program.substring(program.lastIndexOf('/') + 1) + ": ")) {
                return true;
            }
        }
        return false;
    }

    /// The same chain around another program.
    SpawnChain around(List<String> other) {
        return new SpawnChain(kind, stages, other);
    }

    private List<String> from(int stage) {
        List<String> whole = new ArrayList<>();
        for (int i = stage; i < stages.size(); i++) {
            whole.addAll(stages.get(i));
        }
        whole.addAll(target);
        return whole;
    }
}
