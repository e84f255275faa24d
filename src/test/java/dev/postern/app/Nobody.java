package dev.postern.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/// A user who can't write an installation. Where the tests run as root that is another user, for root may write
/// anything; elsewhere the same one, and the installation is made read-only.
final class Nobody {
    private static final String ID = "65534";

    private Nobody() {}

    static boolean isAnother() {
        return "root".equals(System.getProperty("user.name"));
    }

    static ScriptTree installed(Path under) throws IOException {
        ScriptTree tree = ScriptTree.installed(under.resolve("read only"));
        keepFromWriting(tree.app(), under);
        return tree;
    }

    /// Opens the way to `directory` under `temp` for everyone, and keeps this user from writing there.
    static void keepFromWriting(Path directory, Path temp) throws IOException {
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (!isAnother()) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
    }

    static Path home(Path under) throws IOException {
        Path home = Files.createDirectories(under.resolve("home of nobody"));
        if (isAnother()) {
            Files.setAttribute(home, "unix:uid", Integer.valueOf(ID));
        }
        return home;
    }

    static ScriptRun postern(ScriptTree tree, Object... arguments) {
        Stream<Object> prefix = isAnother()
                ? Stream.of("setpriv", "--reuid", ID, "--regid", ID, "--clear-groups", "--")
                : Stream.empty();
        Object[] command = Stream.of(prefix, Stream.<Object>of(tree.launcher()), Stream.of(arguments))
                .flatMap(words -> words)
                .toArray();
        return ScriptRun.of(command).with("JAVA_HOME", ScriptTree.RUNNING_JDK);
    }
}
