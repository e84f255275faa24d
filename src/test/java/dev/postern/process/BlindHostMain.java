package dev.postern.process;

import dev.postern.natives.DirectSignals;
import dev.postern.process.Containment.Kind;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A host that has no descriptor left when its server is to end. To be started with few of them.
final class BlindHostMain {
    private BlindHostMain() {}

    /// Prints what is said to be left of the server, and whether it is dead.
    ///
    /// @param arguments the data directory
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        var launcher = new Launcher(Toolbox.system(), Kind.SESSION, new TestPremises(Path.of(arguments[0])));
        // All code that is needed is loaded before there is nothing left to load it with.
        var _ = Class.forName(Procfs.Unreadable.class.getName());
        boolean warm = DirectSignals.finds(ProcessHandle.current().pid())
                && start(launcher).stop().isEmpty();
        var server = start(launcher);
        long pid = server.instance().pid();
        var taken = new ArrayList<FileInputStream>();
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            // That is what was wanted.
        }
        List<Long> left = server.stop();
        for (var each : taken) {
            each.close();
        }
        System.out.println(warm + " " + left + " " + (Procfs.alive(pid) ? "lives" : "dead"));
    }

    private static Launched start(Launcher launcher) {
        return Launched.of(launcher, Launched.spec("sleep", List.of("300")), Launched.PATIENCE);
    }
}
