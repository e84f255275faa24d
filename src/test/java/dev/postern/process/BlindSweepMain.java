package dev.postern.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Sweeps with no descriptor free, then with one, and so on, until the sweep has ended what it was to end. To be
/// started with few of them.
final class BlindSweepMain {
    /// A sweep opens no more at a time.
    private static final int MOST = 16;

    private BlindSweepMain() {}

    /// Prints for each number of free descriptors what became of the process: `N seen|blind|none alive|dead`.
    ///
    /// @param arguments the data directory, the pid of the process that its ledger names, and another one with a
    ///     ledger, which is swept before all else
    public static void main(String[] arguments) throws Exception {
        loadAll();
        var sweep = new Sweep(new RunLedger(new TestPremises(Path.of(arguments[0]))));
        long pid = Long.parseLong(arguments[1]);
        var _ = new Sweep(new RunLedger(new TestPremises(Path.of(arguments[2])))).sweep();
        var lines = new ArrayList<String>();
        for (int free = 0; free <= MOST && Procfs.alive(pid); free++) {
            lines.add(free + " " + sweptWith(free, sweep) + (Procfs.alive(pid) ? " alive" : " dead"));
        }
        lines.forEach(System.out::println);
    }

    /// What a sweep in want needs for the first time can't be loaded then, and never again.
    private static void loadAll() throws IOException, ClassNotFoundException, URISyntaxException {
        var root = Path.of(
                Sweep.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        for (var part : List.of("base", "natives", "process")) {
            try (var files = Files.list(root.resolve("dev/postern").resolve(part))) {
                for (var file :
                        files.map(each -> String.valueOf(each.getFileName())).toList()) {
                    if (file.endsWith(".class") && !file.equals("package-info.class")) {
                        var _ = Class.forName("dev.postern." + part + "." + file.replace(".class", ""));
                    }
                }
            }
        }
    }

    private static String sweptWith(int free, Sweep sweep) throws IOException {
        var taken = new ArrayList<FileInputStream>();
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException none) {
            // That is what was wanted.
        }
        List<Sweep.Remains> swept;
        try {
            for (int given = 0; given < free; given++) {
                taken.removeLast().close();
            }
            swept = sweep.sweep();
        } finally {
            for (var each : taken) {
                each.close();
            }
        }
        if (swept.isEmpty()) {
            return "none";
        }
        return swept.getFirst().blind() ? "blind" : "seen";
    }
}
