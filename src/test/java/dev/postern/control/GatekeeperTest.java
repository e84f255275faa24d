package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.natives.Peer;
import dev.postern.natives.Users;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may speak to the worker; this test's own process stands for the worker.
@Tag("SEC-7")
class GatekeeperTest {
    private static final String MARKER = "POSTERN_INSTANCE";

    private final long us = Users.effectiveId();

    @Test
    @Tag("WRK-2")
    void refusesAnotherUser() {
        assertThat(Gatekeeper.objection(new Peer(ProcessHandle.current().pid(), us + 1), us, MARKER, line -> false))
                .contains("belongs to user " + (us + 1));
    }

    @Test
    void refusesWhatDescendsFromTheWorker() throws IOException {
        var child = new ProcessBuilder("sh", "-c", "sleep 300 & echo $!; wait").start();
        try {
            long grandchild = Long.parseLong(child.inputReader().readLine());

            assertThat(Gatekeeper.objection(new Peer(child.pid(), us), us, MARKER, line -> false))
                    .contains("descends from this worker");
            assertThat(Gatekeeper.objection(new Peer(grandchild, us), us, MARKER, line -> false))
                    .contains("descends from this worker");
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
    }

    @Test
    void refusesAProcessThatIsNotThereOrCannotBeSeen() throws Exception {
        var gone = new ProcessBuilder("true").start();
        assertThat(gone.waitFor()).isZero();

        assertThat(Gatekeeper.objection(new Peer(gone.pid(), us), us, MARKER, line -> false))
                .contains("can't be told");
        assertThat(Gatekeeper.objection(new Peer(0, us), us, MARKER, line -> false))
                .contains("can't be told");
    }

    @Test
    void refusesAProcessThatTheLedgerKnows() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();

        assertThat(Gatekeeper.objection(new Peer(parent, us), us, MARKER, line -> line.getFirst() == parent))
                .contains("descends from a server's process");
    }

    @Test
    @Tag("WRK-2")
    void letsInAProcessBesideTheWorker() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();

        assertThat(Gatekeeper.objection(new Peer(parent, us), us, MARKER, line -> false))
                .isNull();
    }
}
