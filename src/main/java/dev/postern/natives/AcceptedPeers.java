package dev.postern.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells who is at the other end of a connection that was just accepted on one listening Unix socket. The JDK knows
/// the user only and hides the descriptor; but the accepting thread is the only one that makes sockets bound to this
/// name, so the one such socket that was not there before is the connection's. Confined to that thread.
public final class AcceptedPeers {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int UNIX = 1;

    private final byte[] name;
    private Set<String> known;

    /// To be made when the listener is bound and has accepted nothing yet.
    ///
    /// @param bound the path it is bound to, as it was given to the system
    public AcceptedPeers(Path bound) {
        this.name = bound.toString().getBytes(StandardCharsets.UTF_8);
        this.known = sockets();
    }

    /// Whether this system can tell at all.
    public static boolean available() {
        try {
            return Libc.usable() && Files.isReadable(DESCRIPTORS);
        } catch (LinkageError e) {
            return false;
        }
    }

    /// The peer of the connection accepted since the last call; null when the system does not tell plainly.
    public @Nullable Peer next() {
        var now = sockets();
        @Nullable Peer found = null;
        int count = 0;
        for (var socket : now) {
            if (!known.contains(socket)) {
                var peer = ofOurs(Integer.parseInt(socket.substring(0, socket.indexOf(' '))));
                if (peer != null) {
                    found = peer;
                    count++;
                }
            }
        }
        known = now;
        return count == 1 ? found : null;
    }

    private @Nullable Peer ofOurs(int descriptor) {
        try {
            byte[] address = Libc.socketName(descriptor);
            boolean unix = address.length > 2 && (address[0] | address[1] << 8) == UNIX;
            int end = 2;
            while (end < address.length && address[end] != 0) {
                end++;
            }
            return unix && Arrays.equals(name, Arrays.copyOfRange(address, 2, end)) ? Libc.peer(descriptor) : null;
        } catch (SystemFault gone) {
            return null;
        }
    }

    /// Descriptor and inode of every socket of this process: a number alone is given away again.
    private static Set<String> sockets() {
        var found = new HashSet<String>();
        var names = DESCRIPTORS.toFile().list();
        for (var each : names == null ? new String[0] : names) {
            try {
                var target = Files.readSymbolicLink(DESCRIPTORS.resolve(each)).toString();
                if (target.startsWith("socket:")) {
                    found.add(each + " " + target);
                }
            } catch (IOException closed) {
                // Closed since the directory was read.
            }
        }
        return found;
    }
}
