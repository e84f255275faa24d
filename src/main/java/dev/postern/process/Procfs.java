package dev.postern.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the Linux kernel says about processes. Where there is no `/proc`, nobody is there. Every answer may be
/// outdated as soon as it is given: who signals checks the start time again.
final class Procfs {
    private static final Path ROOT = Path.of("/proc");
    private static final int TRIES = 3;

    private Procfs() {}

    /// Nothing can be read just now, for want of descriptors or memory: who is not seen may well be there.
    static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1;

        Unreadable(@Nullable IOException cause) {
            super(cause == null ? "/proc can't be listed" : cause.getMessage(), cause);
        }
    }

    /// @param state one letter; `Z` and `X` are dead
    /// @param started clock ticks since boot: with the pid, the identity of a process
    record Stat(long pid, char state, long parent, long session, long started) {
        boolean dead() {
            return state == 'Z' || state == 'X';
        }
    }

    static boolean available() {
        return Files.isReadable(ROOT.resolve("self/stat"));
    }

    /// Null when there is no such process.
    static @Nullable Stat stat(long pid) {
        return parse(pid, text(pid, "stat"));
    }

    /// When the current thread was started, in clock ticks since boot; 0 where there is no `/proc`.
    static long threadStarted() throws Unreadable {
        try {
            Stat stat = parse(0, Files.readString(ROOT.resolve("thread-self/stat"), StandardCharsets.ISO_8859_1));
            return stat == null ? 0 : stat.started();
        } catch (IOException e) {
            if (available()) {
                throw new Unreadable(e);
            }
            return 0;
        }
    }

    private static @Nullable Stat parse(long pid, String text) {
        // The name in parentheses may hold anything, parentheses and spaces included; what follows it may not.
        int end = text.lastIndexOf(')');
        if (end < 0) {
            return null;
        }
        String[] fields = text.substring(end + 2).split(" ", 21);
        if (fields.length < 21) {
            return null;
        }
        return new Stat(
                pid,
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19]));
    }

    static boolean alive(long pid) {
        Stat stat = stat(pid);
        return stat != null && !stat.dead();
    }

    /// Everybody, or nobody where there is no `/proc`.
    static List<Stat> all() throws Unreadable {
        List<Stat> found = new ArrayList<>();
        String[] names = ROOT.toFile().list();
        if (names == null && available()) {
            throw new Unreadable(null);
        }
        for (String name : names == null ? new String[0] : names) {
            if (name.charAt(0) >= '1' && name.charAt(0) <= '9') {
                Stat stat = sure(Long.parseLong(name));
                if (stat != null) {
                    found.add(stat);
                }
            }
        }
        return found;
    }

    /// As [#stat], but null says that there is no such process, or that it is hidden from us for good.
    static @Nullable Stat sure(long pid) throws Unreadable {
        return parse(pid, new String(sureBytes(pid, "stat"), StandardCharsets.ISO_8859_1));
    }

    /// In order of birth. Asks the kernel for just these, and looks at every process only where it can't say.
    static List<Long> children(long pid) {
        List<Long> found = new ArrayList<>();
        try {
            String text = Files.readString(ROOT.resolve(pid + "/task/" + pid + "/children"));
            for (String child : text.split(" ", -1)) {
                if (!child.isBlank()) {
                    found.add(Long.parseLong(child.strip()));
                }
            }
        } catch (IOException e) {
            addChildren(pid, found);
        }
        return found;
    }

    private static void addChildren(long pid, List<Long> found) {
        try {
            for (Stat stat : all()) {
                if (stat.parent == pid) {
                    found.add(stat.pid);
                }
            }
        } catch (Unreadable nobody) {
            // Whoever asks looks again.
        }
    }

    /// Arguments, each followed by NUL; empty for a zombie.
    static byte[] commandLine(long pid) {
        return bytes(pid, "cmdline");
    }

    /// Whether the environment that the process was started with holds `variable`, as `NAME=value`.
    static boolean environmentHolds(long pid, String variable) throws Unreadable {
        return ("\0" + new String(sureBytes(pid, "environ"), StandardCharsets.ISO_8859_1))
                .contains("\0" + variable + "\0");
    }

    /// What its standard input is connected to, such as `pipe:[4711]`; empty when nobody says.
    static String standardInput(long pid) {
        try {
            return Files.readSymbolicLink(ROOT.resolve(pid + "/fd/0")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /// The process has its signal at the default: no handler, not ignored.
    static boolean defaultsSignal(long pid, int signal) {
        String status = text(pid, "status");
        long mask = 1L << (signal - 1);
        return !status.isEmpty() && (hex(status, "SigCgt:") & mask) == 0 && (hex(status, "SigIgn:") & mask) == 0;
    }

    /// The capability of this very process to make namespaces without a user namespace (CAP_SYS_ADMIN).
    static boolean mayMakeNamespaces() throws Unreadable {
        try {
            return (hex(Files.readString(ROOT.resolve("self/status")), "CapEff:") & 1L << 21) != 0;
        } catch (IOException e) {
            if (available()) {
                throw new Unreadable(e);
            }
            return false;
        }
    }

    /// A number under `/proc/sys`, or `otherwise` where the kernel has no such setting, or hides it.
    static long setting(String name, long otherwise) throws Unreadable {
        try {
            return Long.parseLong(
                    Files.readString(ROOT.resolve("sys").resolve(name)).strip());
        } catch (NoSuchFileException | AccessDeniedException | NumberFormatException e) {
            return otherwise;
        } catch (IOException e) {
            if (available()) {
                throw new Unreadable(e);
            }
            return otherwise;
        }
    }

    private static long hex(String status, String key) {
        int at = status.indexOf("\n" + key);
        if (at < 0) {
            return 0;
        }
        int from = at + 1 + key.length();
        int end = status.indexOf('\n', from);
        return Long.parseUnsignedLong(
                status.substring(from, end < 0 ? status.length() : end).strip(), 16);
    }

    private static String text(long pid, String file) {
        return new String(bytes(pid, file), StandardCharsets.ISO_8859_1);
    }

    /// Tells a file that is not there, or not for us, from one that can't be read for want of something: then our
    /// own can't be read either.
    private static byte[] sureBytes(long pid, String file) throws Unreadable {
        for (int round = 0; round < TRIES; round++) {
            try {
                return Files.readAllBytes(ROOT.resolve(pid + "/" + file));
            } catch (NoSuchFileException | AccessDeniedException e) {
                break;
            } catch (IOException e) {
                if (bytes(ProcessHandle.current().pid(), "stat").length == 0) {
                    throw new Unreadable(e);
                }
            }
        }
        return new byte[0];
    }

    private static byte[] bytes(long pid, String file) {
        try {
            return Files.readAllBytes(ROOT.resolve(pid + "/" + file));
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
