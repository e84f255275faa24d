package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `worker …`, over a worker that the test decides.
@Tag("WRK-1")
class WorkerCommandsTest {
    private static final String STATUS = """
            {"pid":4711,"since":"2026-11-30T12:00:00Z","version":"1","ending":false,"configChanged":CHANGED,"commands":2,"servers":[
            {"id":"files","state":"ready","pid":4712},
            {"id":"lost","state":"unavailable","pid":null,
            "problem":{"code":"secret.missing","message":"KEY is not set.","next":"Set it."}}]}""";

    @TempDir
    private Path dir;

    private CliHarness cli;

    @BeforeEach
    void makes() {
        cli = new CliHarness(dir);
    }

    private void runs(boolean changed) {
        cli.worker.status =
                new Answer.Here<>((ObjectNode) FakeHost.json(STATUS.replace("CHANGED", Boolean.toString(changed))));
    }

    @Test
    @Tag("CLI-5")
    void endWith8WhereNoneRuns() {
        for (var words : List.of("worker status", "worker stop")) {
            var result = cli.run(words.split(" ", -1));

            assertThat(result.code()).as(words).isEqualTo(8);
            assertThat(result.err()).contains("No worker runs", "postern worker start");
        }
        assertThat(cli.run("worker", "status", "--json")
                        .json()
                        .at("/error/code")
                        .asText())
                .isEqualTo("worker.absent");
    }

    @Test
    void statusShowsWhatItHolds() {
        runs(true);

        var result = cli.run("worker", "status");

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("process 4711", "since 2026-11-30T12:00:00Z", "files", "ready", "4712", "unavailable");
        assertThat(result.err()).contains("config.json has changed");
        assertThat(cli.run("--json", "worker", "status").object().path("pid").asLong())
                .isEqualTo(4711);
    }

    @Test
    @Tag("CLI-8")
    void everyoneOfThemSaysWhatTheSnapshotSays() {
        runs(false);
        cli.worker.stopped = new Answer.Here<>(4711L);
        for (var word : List.of("status", "start", "stop", "install")) {
            var text = cli.run("worker", word);
            var json = cli.run("worker", word, "--json");

            assertThat(List.of(text.code(), json.code())).as(word).containsOnly(0);
            Snapshots.check("worker-" + word + ".txt", text.out());
            Snapshots.check("worker-" + word + ".json", json.out());
        }
    }

    @Test
    void startTellsWhetherItRanBefore() {
        assertThat(cli.run("worker", "start").out()).isEqualTo("The worker runs: process 4711.\n");
        assertThat(cli.run("worker", "start", "--json").json().path("started").asBoolean())
                .isTrue();

        cli.worker.started = new Answer.Here<>(new Worker.Started(4711, true));
        assertThat(cli.run("worker", "start").out()).isEqualTo("The worker runs already: process 4711.\n");
    }

    @Test
    void restartStartsOneWhereNoneRanAndFailsWhereTheOldOneStays() {
        assertThat(cli.run("worker", "restart").code()).isZero();

        cli.worker.stopped =
                new Answer.Not<>(new Problem(ErrorCode.WORKER_FAILED, "The worker has not ended yet.", "Wait."));
        var stuck = cli.run("worker", "restart");
        assertThat(stuck.code()).isEqualTo(8);
        assertThat(stuck.err()).contains("has not ended yet");
    }

    @Test
    @Tag("CLI-5")
    @Tag("CFG-1")
    void startAndRestartLeaveTheWorkerAloneWhereTheConfigurationIsBroken() {
        cli.config("{\"mcpServer\":[]}");
        cli.worker.stopped = new Answer.Not<>(new Problem(ErrorCode.WORKER_FAILED, "It was asked to end.", "Wait."));

        for (var words : List.of("worker start", "worker restart")) {
            var result = cli.run(words.split(" ", -1));

            assertThat(result.code()).as(words).isEqualTo(3);
            assertThat(result.err()).contains("mcpServers").doesNotContain("asked to end");
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void runStartsNothingWithABrokenConfiguration() {
        cli.config("{\"mcpServer\":[]}");

        var result = cli.run("worker", "run");

        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).doesNotContain("takes commands");
    }

    @Test
    void runEndsWith8WhereAnotherOwnsTheDirectory() {
        cli.worker.ran = new Problem(ErrorCode.WORKER_RUNNING, "The worker of this directory is running.", "Stop it.");

        assertThat(cli.run("worker", "run").code()).isEqualTo(8);
    }

    @Test
    void logsPrintsTheLastLines() throws Exception {
        assertThat(cli.run("worker", "logs").code()).isEqualTo(8);
        Files.createDirectories(cli.directory.resolve("logs"));
        Files.writeString(cli.directory.resolve("logs/worker.log"), "one\ntwo\nthree\n");

        assertThat(cli.run("worker", "logs").out()).isEqualTo("one\ntwo\nthree\n");
        assertThat(cli.run("worker", "logs", "-n", "2").out()).isEqualTo("two\nthree\n");
        assertThat(cli.run("worker", "logs", "-n", "0").out()).isEmpty();
        assertThat(cli.run("worker", "logs", "-n", "many").code()).isEqualTo(2);
    }

    @Test
    @Tag("WRK-5")
    void doctorShowsWhatTheWorkerCannotResolve() {
        runs(true);

        var result = cli.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out())
                .contains("process 4711", "worker's lost", "KEY is not set.", "worker restart")
                .doesNotContain("worker's files");
    }

    @Test
    @Tag("WRK-3")
    void callSaysWhereTheWorkerHoldsAnotherInstance() {
        cli.config(Samples.CONFIG);
        Samples.fill(cli.host);
        cli.host.outcomes.put("read_file", new Outcome.Succeeded(FakeHost.result("text")));
        cli.holder = 4711L;

        var result = cli.run("call", "files", "read_file");

        assertThat(result.out()).isEqualTo("text\n");
        assertThat(result.err()).contains("the worker (process 4711) holds another instance of server files");
    }
}
