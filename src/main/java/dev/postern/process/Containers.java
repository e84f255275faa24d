package dev.postern.process;

import dev.postern.process.Containment.Kind;
import dev.postern.process.Procfs.Unreadable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Knows which kinds of containment this machine offers: from files and kernel settings at first, from failure
/// later. Safe for use by many threads.
final class Containers {
    private final Toolbox tools;
    private final Map<Kind, String> broken = new EnumMap<>(Kind.class);
    private @Nullable Boolean privileged;

    Containers(Toolbox tools) {
        this.tools = tools;
    }

    /// The strongest chain that is not known to fail, at most as strong as `strongest`.
    ///
    /// @throws Unreadable when the machine can't be asked just now: no reason to choose a weaker one
    SpawnChain choose(Kind strongest, List<String> target, View view) throws Unreadable {
        for (Kind kind : Kind.values()) {
            if (kind.compareTo(strongest) >= 0 && offered(kind)) {
                SpawnChain chain = SpawnChain.of(kind, tools, target, view, !privileged());
                if (chain != null) {
                    return chain;
                }
            }
        }
        throw new IllegalStateException("A chain of kind NONE needs nothing.");
    }

    /// A program that does nothing, to try a chain with; null when there is none.
    @Nullable
    String harmless() {
        return tools.find("true");
    }

    /// A probe has shown that `kind` does not work here.
    void broken(Kind kind, String why) {
        synchronized (broken) {
            broken.put(kind, why);
        }
    }

    /// @param guarded whether a guardian stands by, where `kind` is SESSION
    Containment describe(Kind kind, boolean guarded) {
        boolean group = kind == Kind.SESSION && guarded;
        return new Containment(kind, group, remedy(kind, group));
    }

    private boolean offered(Kind kind) throws Unreadable {
        synchronized (broken) {
            if (broken.containsKey(kind)) {
                return false;
            }
        }
        return switch (kind) {
            case BWRAP -> privileged() || userNamespaces();
            // Ubuntu lets only programs with a profile make user namespaces, and unshare has none.
            case UNSHARE ->
                privileged()
                        || (userNamespaces() && Procfs.setting("kernel/apparmor_restrict_unprivileged_userns", 0) == 0);
            case PARENT_DEATH, SESSION, NONE -> true;
        };
    }

    private boolean privileged() throws Unreadable {
        synchronized (broken) {
            if (privileged == null) {
                privileged = Procfs.mayMakeNamespaces();
            }
            return privileged;
        }
    }

    private static boolean userNamespaces() throws Unreadable {
        return Procfs.setting("kernel/unprivileged_userns_clone", 1) != 0
                && Procfs.setting("user/max_user_namespaces", 1) != 0;
    }

    private @Nullable String remedy(Kind kind, boolean guarded) {
        if (kind == Kind.BWRAP) {
            return null;
        }
        if (!Procfs.available()) {
            return "This system has no PID namespaces. "
                    + (guarded
                            ? "When Postern is killed, a guardian ends the process group of a server, and nothing that"
                                    + " left it (on macOS nobody has verified that). "
                            : unguarded())
                    + "Stop servers with Postern rather than killing it.";
        }
        return (kind == Kind.SESSION && !guarded ? unguarded() : "") + remedy();
    }

    /// Without a guardian, where one would be needed.
    private String unguarded() {
        return "Nothing ends a server when Postern is killed, since "
                + (tools.perl() == null
                        ? "there is no perl to run a guardian with: install it. "
                        : "no guardian could be started, or it took no message. ");
    }

    private String remedy() {
        if (tools.find("bwrap") == null) {
            return "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap).";
        }
        String why;
        synchronized (broken) {
            why = broken.get(Kind.BWRAP);
        }
        return "bubblewrap does not work here" + (why == null ? "" : " (" + why + ")")
                + ": allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1,"
                + " user.max_user_namespaces, on Ubuntu an AppArmor profile for bwrap).";
    }
}
