package dev.postern.process;

import dev.postern.process.Containment.Kind;
import java.util.Arrays;
import java.util.List;

/// The kinds of containment that this machine and this user can be tested with.
final class Kinds {
    private Kinds() {}

    /// Every one, SESSION included.
    static List<Kind> all() {
        return Arrays.stream(Kind.values())
                .filter(kind -> new Launcher(Toolbox.system(), kind).probe().kind() == kind)
                .toList();
    }

    /// SESSION left out: it differs from PARENT_DEATH only where the host is killed, and then a guardian must do.
    static List<Kind> available() {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.SESSION)
                .filter(kind -> new Launcher(Toolbox.system(), kind).probe().kind() == kind)
                .toList();
    }

    /// Those that end the server's own process with the host.
    static List<Kind> contained() {
        return available().stream().filter(kind -> kind != Kind.NONE).toList();
    }

    static List<Kind> namespaces() {
        return available().stream().filter(Kind::namespace).toList();
    }
}
