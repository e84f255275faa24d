package dev.postern.control;

import dev.postern.natives.AcceptedPeers;
import dev.postern.natives.Ancestry;
import dev.postern.natives.Ancestry.Sign;
import dev.postern.natives.Peer;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// Lets in only processes of our own user that do not descend from our own instances: a server that reached the
/// socket could otherwise run what its owner never asked for (WRK-2, SEC-7). Confined to the accepting thread.
///
/// There are three kinds of evidence, and each alone is enough to be refused: the ancestors that the kernel
/// tells, the variable that an instance's processes have in their environment, and the run ledger. The
/// environment of the peer itself must be readable: a client of ours hides nothing, and one that can't be
/// read, since it was started by `newgrp` perhaps, loses nothing but time, because what is not let in runs its
/// command itself. An ancestor's need not be: whoever comes by `ssh` or sits in `screen` has one of the same
/// user that nobody may look into, and is let in.
///
/// So what is not noticed is a process that has shed the variable, left the tree of the host that started it,
/// for which the system's own services help it, and is not in the ledger, since it was contained.
public final class Gatekeeper {
    private final Path bound;
    private final LongFunction<Sign> marker;
    private final Predicate<List<Long>> kin;
    private final @Nullable AcceptedPeers peers;

    /// To be made when the listener is bound and has accepted nothing yet.
    ///
    /// @param bound the path of the socket
    /// @param marker the variable that every instance and whatever it starts has in its environment
    /// @param kin whether a process, of which it is told with its ancestors, is an instance's by other evidence: an
    ///     environment can be shed
    public Gatekeeper(Path bound, String marker, Predicate<List<Long>> kin) {
        this.bound = bound;
        this.marker = pid -> Ancestry.variable(pid, marker);
        this.kin = kin;
        this.peers = AcceptedPeers.available() ? new AcceptedPeers(bound) : null;
    }

    /// Why the connection accepted last is not let in, null when it is.
    @Nullable
    String objection(SocketChannel accepted) {
        if (peers != null) {
            var peer = peers.next();
            return peer == null
                    ? "the system does not tell who it is"
                    : objection(peer, Users.effectiveId(), marker, kin);
        }
        return sameUser(accepted) ? null : "it belongs to another user";
    }

    /// Judges a peer whose process the system names.
    ///
    /// @param marker what the environment of a process says of the variable
    static @Nullable String objection(Peer peer, long us, LongFunction<Sign> marker, Predicate<List<Long>> kin) {
        if (peer.user() != us) {
            return "it belongs to user " + peer.user();
        }
        var line = Ancestry.of(peer.pid());
        if (line.isEmpty()) {
            return "its descent can't be told (process " + peer.pid() + ")";
        }
        if (marker.apply(peer.pid()) == Sign.HIDDEN) {
            return "its environment can't be read (process " + peer.pid() + ")";
        }
        long self = ProcessTable.own().pid();
        for (long pid : line) {
            // A program that loops back to its own worker is no server, but the worker itself.
            if (pid == self) {
                return peer.pid() == self ? null : "it descends from this worker (process " + peer.pid() + ")";
            }
            if (marker.apply(pid) == Sign.PRESENT) {
                return "it descends from a server's process (process " + peer.pid() + ")";
            }
        }
        return kin.test(line) ? "it descends from a server's process (process " + peer.pid() + ")" : null;
    }

    /// Where the system tells no process, it tells the user at least.
    private boolean sameUser(SocketChannel accepted) {
        try {
            return accepted.getOption(ExtendedSocketOptions.SO_PEERCRED)
                    .user()
                    .getName()
                    .equals(Files.getOwner(bound.resolveSibling(".")).getName());
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
