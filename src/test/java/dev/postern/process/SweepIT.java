package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable;
import dev.postern.natives.Users;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("PRC-4")
@ExtendWith(LeavesNothingBehind.class)
class SweepIT {
    private static final String MARKER = "abc123";
    private static final ProcessIdentity OWN = ProcessTable.own();
    /// This very pid, and not this process.
    private static final ProcessIdentity DEAD =
            new ProcessIdentity(OWN.pid(), OWN.started() + 1, OWN.boot(), OWN.space());

    @TempDir
    Path data;

    private final List<Process> started = new ArrayList<>();
    private Path run = Path.of("/");
    private Sweep sweep = new Sweep(new RunLedger(new TestPremises(Path.of("/"))));

    @BeforeEach
    void prepare() throws IOException {
        run = Files.createDirectory(data.resolve("run"));
        sweep = new Sweep(new RunLedger(new TestPremises(data)));
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void endsTheProcessTheItsSessionItsDescendantsAndWhoeverHasTheMarker() throws IOException {
        // The leader of a session, in it a child without the marker, and that one's child in a session of its own.
        Process leader = start("", "setsid", "sh", "-c", "env -i setsid sleep 300 & sleep 300");
        Process marked = start(MARKER, "sleep", "300");
        await().atMost(Launched.PATIENCE).until(() -> descendants(leader) == 2);
        List<Long> all =
                new ArrayList<>(leader.descendants().map(ProcessHandle::pid).toList());
        all.add(leader.pid());
        all.add(marked.pid());
        entry(DEAD, identity(leader), leader.pid());

        var swept = sweep.sweep();

        assertThat(swept).singleElement().satisfies(each -> {
            assertThat(each.server()).isEqualTo("files");
            assertThat(each.processes()).containsExactlyInAnyOrderElementsOf(all);
            assertThat(each.left()).isEmpty();
            assertThat(each.text()).startsWith("Ended 4 processes that a killed Postern left behind (server files, ");
        });
        assertThat(all).noneMatch(Procfs::alive);
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void endsByTheMarkerAloneWhenTheHostWasKilledBeforeItKnewThePid() throws IOException {
        Process marked = start(MARKER, "sleep", "300");
        Process other = start(MARKER + "4", "sleep", "300");
        Files.writeString(run.resolve("instance-" + MARKER), LedgerText.first("files", DEAD, MARKER) + "instance 1");

        assertThat(sweep.sweep())
                .singleElement()
                .satisfies(each -> assertThat(each.processes()).containsExactly(marked.pid()));

        assertThat(other.isAlive()).isTrue();
        assertThat(run).isEmptyDirectory();
    }

    @Test
    @Tag("P14")
    void neverSignalsProcessThatGotThePidLater() throws IOException {
        Process stranger = start("", "setsid", "sh", "-c", "sleep 300 & exec sleep 300");
        await().atMost(Launched.PATIENCE).until(() -> descendants(stranger) == 1);
        ProcessIdentity real = identity(stranger);
        entry(DEAD, new ProcessIdentity(real.pid(), real.started() - 1, real.boot(), real.space()), stranger.pid());

        assertThat(sweep.sweep()).singleElement().satisfies(each -> {
            assertThat(each.processes()).isEmpty();
            assertThat(each.text()).isEmpty();
        });

        assertThat(stranger.isAlive()).isTrue();
        assertThat(descendants(stranger)).isEqualTo(1);
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void leavesSessionAloneWhoseLeaderIsGoneAndInWhichNobodyIsKnown() throws IOException {
        Process leader = start("", "setsid", "sh", "-c", "sleep 300 & exit 0");
        ProcessIdentity forged = new ProcessIdentity(leader.pid(), OWN.started() + 1, OWN.boot(), OWN.space());
        await().atMost(Launched.PATIENCE)
                .until(() -> !leader.isAlive() && inSession(leader.pid()).size() == 1);
        entry(DEAD, forged, leader.pid());
        ProcessHandle member =
                ProcessHandle.of(inSession(leader.pid()).getFirst()).orElseThrow();

        assertThat(sweep.sweep())
                .singleElement()
                .satisfies(each -> assertThat(each.processes()).isEmpty());

        assertThat(member.isAlive()).isTrue();
        member.destroyForcibly();
    }

    @Test
    void endsSessionWhoseLeaderIsGoneAndInWhichSomebodyHasTheMarker() throws IOException {
        Process leader = start(MARKER, "setsid", "sh", "-c", "sleep 300 & env -i sleep 300 & exit 0");
        ProcessIdentity identity = identity(leader);
        await().atMost(Launched.PATIENCE)
                .until(() -> !leader.isAlive() && inSession(leader.pid()).size() == 2);
        entry(DEAD, identity, leader.pid());

        assertThat(sweep.sweep())
                .singleElement()
                .satisfies(each -> assertThat(each.processes()).hasSize(2));

        assertThat(inSession(leader.pid())).isEmpty();
    }

    @Test
    void leavesInstancesOfHostsAloneThatLiveOrCannotBeSeen() throws IOException {
        Process marked = start(MARKER, "sleep", "300");
        for (ProcessIdentity owner :
                List.of(OWN, new ProcessIdentity(DEAD.pid(), DEAD.started(), DEAD.boot(), "pid:[1]"))) {
            entry(owner, identity(marked), 0);

            assertThat(sweep.sweep()).isEmpty();

            assertThat(marked.isAlive()).isTrue();
            assertThat(run.resolve("instance-" + MARKER)).exists();
        }
    }

    @Test
    void onlyRemovesEntriesOfAnotherBoot() throws IOException {
        Process marked = start(MARKER, "sleep", "300");
        entry(new ProcessIdentity(OWN.pid(), OWN.started(), "another-boot", OWN.space()), identity(marked), 0);

        assertThat(sweep.sweep())
                .singleElement()
                .satisfies(each -> assertThat(each.text()).isEmpty());

        assertThat(marked.isAlive()).isTrue();
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void surveyTellsWhatIsLeftAndChangesNothing() throws IOException {
        Process marked = start(MARKER, "sleep", "300");
        entry(DEAD, identity(marked), 0);

        var survey = sweep.survey();

        assertThat(survey.remains())
                .singleElement()
                .satisfies(each -> assertThat(each.left()).containsExactly(marked.pid()));
        assertThat(marked.isAlive()).isTrue();
        assertThat(run.resolve("instance-" + MARKER)).exists();
    }

    @Test
    void ignoresAndReportsWhatIsNoEntry() throws IOException, InterruptedException {
        Process marked = start(MARKER, "sleep", "300");
        String text = LedgerText.first("files", DEAD, MARKER) + LedgerText.second(identity(marked), 0);
        Path elsewhere = Files.writeString(data.resolve("elsewhere"), text);
        Files.createSymbolicLink(run.resolve("instance-" + MARKER), elsewhere);
        Files.createLink(run.resolve("instance-hard"), elsewhere);
        Files.createDirectory(run.resolve("instance-directory"));
        Files.writeString(run.resolve("instance-empty"), "");
        Files.writeString(run.resolve("instance-large"), text + "x".repeat(RunLedger.LARGEST));
        Files.writeString(run.resolve("instance-other"), text);
        Files.writeString(run.resolve("instance-rubbish"), "\0\uFFFF kill " + marked.pid());
        Path open = Files.writeString(run.resolve("instance-open"), text);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(new ProcessBuilder("mkfifo", run.resolve("instance-pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        Files.writeString(run.resolve("discovery-files.json"), text);
        boolean root = Users.effectiveId() == 0;
        if (root) {
            Path foreign = Files.writeString(run.resolve("instance-foreign"), text);
            Files.setAttribute(foreign, "unix:uid", 65_534);
        }

        var survey = sweep.survey();

        assertThat(survey.remains()).isEmpty();
        assertThat(survey.unreadable())
                .hasSize(root ? 10 : 9)
                .allSatisfy(problem -> assertThat(problem.message()).contains("is ignored: "));
        assertThat(sweep.sweep()).isEmpty();
        assertThat(marked.isAlive()).isTrue();
        assertThat(run).isDirectoryContaining("glob:**/instance-pipe");
    }

    @Test
    void removesWhatWriterLeftUnfinished() throws IOException {
        Files.writeString(run.resolve("instance-1f.new"), "postern-inst");

        assertThat(sweep.survey().unreadable()).isEmpty();
        assertThat(run.resolve("instance-1f.new")).exists();
        assertThat(sweep.sweep()).isEmpty();

        assertThat(run).isEmptyDirectory();
    }

    private Process start(String marker, String... command) throws IOException {
        var builder = new ProcessBuilder(command);
        if (!marker.isEmpty()) {
            builder.environment().put(LaunchSpec.MARKER, marker);
        }
        // As a member of the test's own session, unless it leaves that: not an orphan to anybody.
        Process process = Orphans.OF_THIS_PROCESS.start(builder);
        started.add(process);
        return process;
    }

    private void entry(ProcessIdentity owner, ProcessIdentity instance, long session) throws IOException {
        Files.writeString(
                run.resolve("instance-" + MARKER),
                LedgerText.first("files", owner, MARKER) + LedgerText.second(instance, session));
    }

    private static ProcessIdentity identity(Process process) {
        return Objects.requireNonNull(ProcessTable.find(process.pid()));
    }

    private static long descendants(Process process) {
        return process.descendants().count();
    }

    private static List<Long> inSession(long session) {
        return processes().stream()
                .filter(stat -> stat.session() == session && !stat.dead())
                .map(Procfs.Stat::pid)
                .toList();
    }

    private static List<Procfs.Stat> processes() {
        try {
            return Procfs.all();
        } catch (Procfs.Unreadable e) {
            throw new UncheckedIOException(e);
        }
    }
}
