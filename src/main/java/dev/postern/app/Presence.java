package dev.postern.app;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.control.ControlServer;
import dev.postern.control.ControlService;
import dev.postern.control.Gatekeeper;
import dev.postern.control.Ownership;
import dev.postern.control.SocketPlace;
import dev.postern.datadir.DataDirectory;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import dev.postern.process.LaunchSpec;
import dev.postern.process.LedgerKin;
import dev.postern.process.RunLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// By what others find the worker in `run/`: its socket, its pid and the mark that it takes calls. Programs
/// that tidy up, and people, remove such files under a living worker: it makes them anew, unless what is gone
/// is the proof that the directory is its own. Confined to one thread.
final class Presence implements AutoCloseable {
    private final DataDirectory directory;
    private final Ownership ownership;
    private final @Nullable String runtime;
    private final boolean directCalls;
    private final ControlService service;
    private SocketPlace.Bound bound;
    private final ControlServer server;
    private boolean troubled;

    /// Makes them, and takes clients from now on.
    ///
    /// @param runtime `XDG_RUNTIME_DIR`, null when it is not set
    /// @param directCalls whether calls are taken
    Presence(
            DataDirectory directory,
            Ownership ownership,
            @Nullable String runtime,
            boolean directCalls,
            ControlService service)
            throws IOException {
        this.directory = directory;
        this.ownership = ownership;
        this.runtime = runtime;
        this.directCalls = directCalls;
        this.service = service;
        this.bound = bind();
        markDirectCalls();
        this.server = new ControlServer(bound.channel(), gatekeeper(), service);
    }

    ControlServer server() {
        return server;
    }

    private SocketPlace.Bound bind() throws IOException {
        return SocketPlace.bind(directory.run(), runtime, Users.effectiveId());
    }

    private Gatekeeper gatekeeper() {
        return new Gatekeeper(
                bound.path(), LaunchSpec.MARKER, new LedgerKin(new RunLedger(new DataPremises(directory))));
    }

    /// Looks whether everything is in its place, and makes anew what is not.
    ///
    /// @return why the directory is not this worker's any more; null as long as it is
    @Nullable
    Problem check() {
        var lost = ownership.lost();
        if (lost != null) {
            return new Problem(
                    ErrorCode.WORKER_FAILED,
                    "The worker has ended: " + lost + " while it ran.",
                    "Start it again with `postern worker start`, for the directory that is meant.");
        }
        try {
            ownership.keepPid();
            markDirectCalls();
            if (!bound.inPlace(directory.run())) {
                service.log("the control socket was removed or replaced, and is made anew");
                server.stopAccepting();
                bound = bind();
                server.acceptAt(bound.channel(), gatekeeper());
            }
            troubled = false;
        } catch (IOException e) {
            if (!troubled) {
                service.log(SocketPlace.unusable(directory.run(), e).message());
            }
            troubled = true;
        }
        return null;
    }

    /// Has the launcher of a call look elsewhere: the worker is about to end.
    void unmarkDirectCalls() {
        try {
            if (marked()) {
                Files.deleteIfExists(directCalls());
            }
        } catch (IOException e) {
            // The worker itself decides; a stale mark costs a client one question.
        }
    }

    /// The launcher looks for the mark before it forwards a call. It says whose it is, since it is to be removed by
    /// nobody else.
    private void markDirectCalls() throws IOException {
        if (directCalls && !marked()) {
            Files.deleteIfExists(directCalls());
            WorkerLog.makePrivateFile(directCalls());
            Files.writeString(directCalls(), mark());
        } else if (!directCalls) {
            Files.deleteIfExists(directCalls());
        }
    }

    private boolean marked() throws IOException {
        var mark = mark();
        return Files.isRegularFile(directCalls(), LinkOption.NOFOLLOW_LINKS)
                && Files.size(directCalls()) == mark.length()
                && Files.readString(directCalls()).equals(mark);
    }

    private static String mark() {
        return ProcessTable.own().text() + "\n";
    }

    private Path directCalls() {
        return directory.run().resolve("direct-calls");
    }

    /// Takes no more clients, leaves those that are left, and removes what is still its own.
    @Override
    public void close() {
        unmarkDirectCalls();
        SocketPlace.remove(directory.run(), bound);
        server.close();
    }
}
