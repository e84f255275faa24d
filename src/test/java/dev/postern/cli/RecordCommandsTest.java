package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `runs` and `calls` over a real database (STO, CLI-8).
class RecordCommandsTest {
    private static final String DATABASE = "postern.db";

    @TempDir
    Path temporary;

    private CliHarness cli;

    @BeforeEach
    void makeDirectory() {
        cli = new CliHarness(temporary);
    }

    private void record() {
        SampleRecords.write(cli.directory.resolve(DATABASE));
    }

    @ParameterizedTest
    @CsvSource({
        "runs list,runs-list",
        "runs show run_01a22db0-0000-7000-8000-000000000001,runs-show",
        "calls show call_01a22db0-0000-7000-8000-000000000001,calls-show",
        "calls show call_01a22db0-0000-7000-8000-000000000002,calls-show-failed",
        "calls show call_01a22db0-0000-7000-8000-000000000003,calls-show-refused",
        "calls show call_01a22db0-0000-7000-8000-000000000004,calls-show-open"
    })
    @Tag("CLI-4")
    @Tag("CLI-8")
    void printWhatTheSnapshotsSay(String command, String snapshot) {
        record();

        var people = cli.run(command.split(" ", -1));
        var program = cli.run(("--json " + command).split(" ", -1));

        assertThat(people.err() + program.err()).isEmpty();
        assertThat(people.code() + program.code()).isZero();
        Snapshots.check(snapshot + ".txt", people.out());
        Snapshots.check(snapshot + ".json", program.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs list",
                "runs list --limit 3",
                "runs show run_01a22db0-0000-7000-8000-000000000001",
                "calls show call_01a22db0-0000-7000-8000-000000000001",
                "runs prune"
            })
    @Tag("CLI-8")
    void startNothingAndMakeNothing(String command) throws IOException {
        var result = cli.run(command.split(" ", -1));

        assertThat(result.code()).isEqualTo(command.contains("show") ? 2 : 0);
        assertThat(cli.hostsOpened).isEmpty();
        try (var files = Files.list(cli.directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    @Tag("CLI-8")
    void listAnswersAnEmptyPageWhereNothingWasEverRecorded() {
        assertThat(cli.run("--json", "runs", "list").json())
                .isEqualTo(FakeHost.json("{\"items\":[],\"nextCursor\":null}"));
    }

    @Test
    @Tag("STO-1")
    void workWithAConfigurationThatIsWrong() {
        record();
        cli.config("{\"mcpServers\": 1}");

        assertThat(cli.run("runs", "list").code()).isZero();
        assertThat(cli.run("runs", "show", SampleRecords.run(1)).code()).isZero();
        assertThat(cli.run("calls", "show", SampleRecords.call(1)).code()).isZero();
        assertThat(cli.run("runs", "prune", "--older-than", "1d").code()).isZero();
        assertThat(cli.run("runs", "prune").code()).isEqualTo(3);
    }

    @Test
    @Tag("CLI-8")
    void listIsPagedFromTheNewestToTheOldest() {
        record();
        var seen = new ArrayList<String>();
        var page = cli.run("--json", "runs", "list", "--limit", "3").json();
        page.get("items").forEach(run -> seen.add(run.get("runId").asText()));
        var cursor = page.get("nextCursor").asText();

        var last = cli.run("--json", "runs", "list", "--limit", "3", "--cursor", cursor)
                .json();
        last.get("items").forEach(run -> seen.add(run.get("runId").asText()));

        assertThat(seen)
                .containsExactly(
                        SampleRecords.run(4), SampleRecords.run(3), SampleRecords.run(2), SampleRecords.run(1));
        assertThat(last.get("nextCursor").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs list --limit 0",
                "runs list --limit 1001",
                "runs list --limit many",
                "runs list --limit -1",
                "runs list --cursor x",
                "runs list --cursor run_",
                "runs list --cursor run_01a22db0",
                "runs list --cursor call_01a22db0-0000-7000-8000-000000000001",
                "runs list --cursor run_01a22db0-0000-7000-8000-00000000000g",
                "runs list --cursor run_01a22db0-0000-7000-8000-0000000000011",
                "runs show",
                "runs show run_nobody",
                "runs show x",
                "runs show run_",
                "calls show call_nobody",
                "calls show run_01a22db0-0000-7000-8000-000000000001",
                "runs prune --older-than 30",
                "runs prune --older-than 0d",
                "runs prune --older-than 0s",
                "runs prune --older-than 999ms",
                "runs prune --older-than -1d",
                "runs prune --older-than 3651d",
                "runs prune --older-than 30000d",
                "runs prune --older-than soon"
            })
    @Tag("CLI-5")
    void answerWrongUsageWithItsExitCode(String command) {
        record();

        var result = cli.run(command.split(" ", -1));

        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("error: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "runs show call_01a2|Run `postern calls show call_01a2`.",
                "calls show run_01a2|Run `postern runs show run_01a2`.",
                "runs show x|such as run_01890f3c-",
                "runs show run_|such as run_01890f3c-",
                "runs show RUN_01a2|such as run_01890f3c-",
                "calls show 01a22db0|such as call_01890f3c-",
                "calls show call_01a22db0-0000-7000-8000-000000000001-|such as call_01890f3c-",
                "runs show run_01a2ffff|See what is with `postern runs list`",
                "runs list --limit 1.5|Give such a number",
                "runs list --cursor run_|from the end of the list before",
                "runs prune --older-than 0d|1s drops every run that has ended"
            })
    @Tag("CLI-5")
    void sayWhatToGiveInstead(String command, String next) {
        record();

        var result = cli.run(command.split(" ", -1));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains(next);
    }

    @Test
    @Tag("CLI-5")
    void takeTheBeginningOfAnIdThatNoOtherHas() {
        record();

        assertThat(cli.run("calls", "show", "call_01a22db0-0000-7000-8000-000000000001")
                        .code())
                .isZero();
        assertThat(cli.run("--json", "runs", "show", SampleRecords.run(2))
                        .json()
                        .get("runId")
                        .asText())
                .isEqualTo(SampleRecords.run(2));
        var ambiguous = cli.run("calls", "show", "call_01a22db0");
        assertThat(ambiguous.code()).isEqualTo(2);
        assertThat(ambiguous.err()).contains("More than one call");
    }

    @Test
    @Tag("STO-2")
    void pruneDropsWhatIsOlderAndHasEnded() {
        record();

        var pruned = cli.run("--json", "runs", "prune", "--older-than", "1s").json();

        assertThat(pruned.get("prunedRuns").asInt()).isEqualTo(3);
        assertThat(cli.run("--json", "runs", "list").json().get("items"))
                .singleElement()
                .satisfies(run -> assertThat(run.get("runId").asText()).isEqualTo(SampleRecords.run(4)));
    }

    @Test
    @Tag("STO-2")
    void pruneTakesWhatTheConfigurationSays() {
        record();
        cli.config("{\"storage\": {\"days\": 3650}}");

        assertThat(cli.run("runs", "prune").out()).startsWith("0 runs were dropped");
    }

    @Test
    @Tag("STO-3")
    void tellADatabaseThatIsDamaged() throws IOException {
        var file = Files.writeString(cli.directory.resolve(DATABASE), "no database at all\n".repeat(500));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        var result = cli.run("runs", "list");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("is not an SQLite database. It was left as it is.");
        assertThat(cli.run("--json", "runs", "list").json().at("/error/code").asText())
                .isEqualTo("storage.damaged");
    }
}
