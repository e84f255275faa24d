package dev.postern.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.natives.Ancestry;
import dev.postern.natives.Ancestry.Sign;
import dev.postern.natives.Peer;
import dev.postern.natives.Users;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may speak to the worker; this test's own process stands for the worker.
@Tag("SEC-7")
class GatekeeperTest {
    private final long us = Users.effectiveId();

    private static Sign marker(long pid) {
        return Ancestry.variable(pid, "POSTERN_INSTANCE");
    }

    @Test
    @Tag("WRK-2")
    void refusesAnotherUser() {
        assertThat(Gatekeeper.objection(
                        new Peer(ProcessHandle.current().pid(), us + 1), us, GatekeeperTest::marker, line -> false))
                .contains("belongs to user " + (us + 1));
    }

    @Test
    void refusesWhatDescendsFromTheWorker() throws IOException {
        var child = new ProcessBuilder("sh", "-c", "sleep 300 & echo $!; wait").start();
        try {
            long grandchild = Long.parseLong(child.inputReader().readLine());

            assertThat(Gatekeeper.objection(new Peer(child.pid(), us), us, GatekeeperTest::marker, line -> false))
                    .contains("descends from this worker");
            assertThat(Gatekeeper.objection(new Peer(grandchild, us), us, GatekeeperTest::marker, line -> false))
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

        assertThat(Gatekeeper.objection(new Peer(gone.pid(), us), us, GatekeeperTest::marker, line -> false))
                .contains("can't be told");
        assertThat(Gatekeeper.objection(new Peer(0, us), us, GatekeeperTest::marker, line -> false))
                .contains("can't be told");
    }

    @Test
    void refusesAPeerThatHidesItsEnvironmentAndNotOneWhoseAncestorsDo() {
        var beside = ProcessHandle.current().parent().orElseThrow();
        long session = beside.parent().map(ProcessHandle::pid).orElse(0L);

        assertThat(Gatekeeper.objection(
                        new Peer(beside.pid(), us),
                        us,
                        pid -> pid == beside.pid() ? Sign.HIDDEN : Sign.ABSENT,
                        line -> false))
                .contains("environment can't be read");
        assertThat(Gatekeeper.objection(
                        new Peer(beside.pid(), us),
                        us,
                        pid -> pid == beside.pid() ? Sign.ABSENT : Sign.HIDDEN,
                        line -> false))
                .isNull();
        assertThat(Gatekeeper.objection(
                        new Peer(beside.pid(), us),
                        us,
                        pid -> pid == session ? Sign.PRESENT : Sign.ABSENT,
                        line -> false))
                .matches(said -> session == 0 || String.valueOf(said).contains("descends from a server's process"));
    }

    @Test
    void seesAVariableAProcessWithoutItAndOneThatIsGone() throws Exception {
        var builder = new ProcessBuilder("sleep", "300");
        builder.environment().put("MARK", "");
        var marked = builder.start();
        try {
            await().until(() -> Ancestry.variable(marked.pid(), "MARK") == Sign.PRESENT);
            assertThat(Ancestry.variable(marked.pid(), "ARK")).isEqualTo(Sign.ABSENT);
        } finally {
            marked.destroyForcibly().waitFor();
        }
        assertThat(Ancestry.variable(marked.pid(), "MARK")).isEqualTo(Sign.HIDDEN);
    }

    @Test
    void refusesAProcessThatTheLedgerKnows() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();

        assertThat(Gatekeeper.objection(
                        new Peer(parent, us), us, GatekeeperTest::marker, line -> line.getFirst() == parent))
                .contains("descends from a server's process");
    }

    @Test
    @Tag("WRK-2")
    void letsInAProcessBesideTheWorker() {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();

        assertThat(Gatekeeper.objection(new Peer(parent, us), us, GatekeeperTest::marker, line -> false))
                .isNull();
    }
}
