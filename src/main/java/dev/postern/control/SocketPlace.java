package dev.postern.control;

import dev.postern.base.ErrorCode;
import dev.postern.base.IoReason;
import dev.postern.base.Problem;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where the control socket is. Its name is `run/control.sock`; where that is longer than the system takes, it
/// is a symbolic link to a socket in a directory of ours with a short name, which nobody else can enter.
public final class SocketPlace {
    private static final String NAME = "control.sock";

    /// Linux takes 107 bytes, other systems 103.
    private static final int LONGEST = 100;

    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");

    private SocketPlace() {}

    public static Path in(Path run) {
        return run.resolve(NAME);
    }

    /// What to connect to. A link is followed only into a directory that is ours: what stood in `/tmp` once may be
    /// somebody else's by now.
    static Path toConnect(Path run) throws IOException {
        var socket = in(run);
        if (!Files.isSymbolicLink(socket)) {
            return socket;
        }
        var target = Files.readSymbolicLink(socket);
        if (!ours(target.resolveSibling("."), run)) {
            throw new IOException("the directory of " + target + " is not ours alone");
        }
        return target;
    }

    private static boolean ours(Path directory, Path run) throws IOException {
        return Files.isDirectory(directory)
                && Files.getOwner(directory).equals(Files.getOwner(run))
                && Files.getPosixFilePermissions(directory).equals(OURS_ALONE);
    }

    /// A bound socket.
    ///
    /// @param path what it is bound to
    /// @param key of the file that the system made for it, which is nobody else's as long as the channel is open
    public record Bound(ServerSocketChannel channel, Path path, Object key) {
        /// Whether clients find it: tidy programs remove what nobody seems to use.
        public boolean inPlace(Path run) {
            return ours() && (path.equals(in(run)) || leads(in(run), path));
        }

        private boolean ours() {
            try {
                return key.equals(keyOf(path));
            } catch (IOException gone) {
                return false;
            }
        }
    }

    private static boolean leads(Path link, Path to) {
        try {
            return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(to);
        } catch (IOException gone) {
            return false;
        }
    }

    private static Object keyOf(Path file) throws IOException {
        return Objects.requireNonNull(
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey(),
                "a file system that tells files apart");
    }

    /// Makes the socket, in place of whatever a dead worker left. Only for the owner of the lock.
    ///
    /// @param runtime `XDG_RUNTIME_DIR`, null when it is not set
    /// @param user our effective user id
    public static Bound bind(Path run, @Nullable String runtime, long user) throws IOException {
        var name = in(run);
        var path = name.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST
                ? name
                : shortDirectory(run, runtime, user).resolve(NAME);
        Files.deleteIfExists(name);
        Files.deleteIfExists(path);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path), ControlServer.MOST);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            if (!path.equals(name)) {
                Files.createSymbolicLink(name, path);
            }
            return new Bound(channel, path, keyOf(path));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Removes the socket, its link and its directory, as far as they are still its own. To be called before its
    /// channel
    /// is closed.
    public static void remove(Path run, Bound bound) {
        try {
            if (!bound.path.equals(in(run)) && leads(in(run), bound.path)) {
                Files.deleteIfExists(in(run));
            }
            if (bound.ours()) {
                Files.deleteIfExists(bound.path);
                if (!bound.path.equals(in(run))) {
                    Files.deleteIfExists(bound.path.resolveSibling(""));
                }
            }
        } catch (IOException e) {
            // A socket that nobody listens to is harmless, and the next owner replaces it.
        }
    }

    private static Path shortDirectory(Path run, @Nullable String runtime, long user) throws IOException {
        var hash = hash(run);
        var directory = runtime != null
                        && runtime.startsWith("/")
                        && runtime.length() < 40
                        && Files.isDirectory(Path.of(runtime))
                ? Path.of(runtime, "postern-" + hash)
                : Path.of("/tmp", "postern-" + user + "-" + hash);
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OURS_ALONE));
            Files.setPosixFilePermissions(directory, OURS_ALONE);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || !ours(directory, run)) {
                throw new IOException(directory + " is in the way, and not ours alone", e);
            }
        }
        return directory;
    }

    private static String hash(Path run) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(run.toRealPath().toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// That the socket could not be made.
    public static Problem unusable(Path run, IOException why) {
        return new Problem(
                ErrorCode.WORKER_FAILED,
                "The control socket " + in(run) + " can't be made: " + IoReason.of(why) + ".",
                "Remove what stands in its way, or choose another data directory with --data-dir.");
    }
}
