package dev.postern.testkit;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test after which a server process or a thread of ours remains. Processes are known by
/// `POSTERN_INSTANCE` in their environment, which every child of a server inherits; those of other programs that
/// test Postern on this machine at the same time are left out. What is about to end gets five seconds.
public final class LeavesNothingBehind implements BeforeEachCallback, AfterEachCallback {
    private static final String MARKER = "POSTERN_INSTANCE=";
    private Set<String> before = Set.of();
    private Set<Thread> threadsBefore = Set.of();

    @Override
    public void beforeEach(ExtensionContext context) {
        mark();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        check();
    }

    /// What is there from the start is nothing that remains.
    public void mark() {
        before = new HashSet<>(instances(""));
        threadsBefore = Thread.getAllStackTraces().keySet();
    }

    /// For a test of several parts, after each of which nothing may remain.
    public void check() {
        await("server processes that remain").atMost(Duration.ofSeconds(5)).until(this::remains, List::isEmpty);
        await("threads that remain").atMost(Duration.ofSeconds(5)).until(this::threads, List::isEmpty);
    }

    private List<String> remains() {
        List<String> found = new ArrayList<>();
        for (String process : instances("")) {
            if (!before.contains(process) && ours(Long.parseLong(process.split(" ", 2)[0]))) {
                found.add(process);
            }
        }
        return found;
    }

    /// Processes whose environment holds `POSTERN_INSTANCE=` and `value`, as `pid command-line`; empty where there
    /// is no `/proc`.
    public static List<String> instances(String value) {
        List<String> found = new ArrayList<>();
        String[] names = new File("/proc").list((dir, name) -> Character.isDigit(name.charAt(0)));
        for (String name : names == null ? new String[0] : names) {
            String environment = read(name, "environ");
            if (("\0" + environment).contains("\0" + MARKER + value) && !zombie(name)) {
                found.add(name + " " + read(name, "cmdline").replace('\0', ' '));
            }
        }
        return found;
    }

    /// Descends from this program, or from nobody that is left but processes like it.
    private static boolean ours(long pid) {
        long self = ProcessHandle.current().pid();
        boolean orphan = true;
        long parent = parent(pid);
        while (parent > 1 && parent != self) {
            orphan &= ("\0" + read(Long.toString(parent), "environ")).contains("\0" + MARKER);
            parent = parent(parent);
        }
        return parent == self || orphan;
    }

    private static long parent(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(ProcessHandle::parent)
                .map(ProcessHandle::pid)
                .orElse(0L);
    }

    private static boolean zombie(String pid) {
        String stat = read(pid, "stat");
        int end = stat.lastIndexOf(')');
        return end < 0 || stat.startsWith(") Z", end);
    }

    private List<String> threads() {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            boolean ours = name.startsWith("postern-") || name.startsWith("HttpClient-");
            if (ours && !threadsBefore.contains(thread)) {
                names.add(name);
            }
        }
        return names;
    }

    private static String read(String pid, String file) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc", pid, file)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
