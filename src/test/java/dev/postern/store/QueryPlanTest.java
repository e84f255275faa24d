package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Lists and start-up recovery cost the same however much is stored.
@Tag("STO-2")
class QueryPlanTest {
    @TempDir
    Path directory;

    static List<String> queries() {
        return List.of(
                RecordReader.NEWEST,
                RecordReader.RUNS_NAMED,
                RecordReader.CALLS_NAMED,
                RecordReader.CALLS_OF,
                RecordReader.RUNS_OF_SESSION,
                RunReader.NEWEST,
                RunReader.NAMED,
                RunReader.MESSAGES,
                RunReader.CONVERSATION,
                RunReader.TURNS,
                Store.OWNERS_OF_OPEN);
    }

    /// An index that is walked from one end to the other has as many entries as it was made for: those of what is
    /// open are few.
    @ParameterizedTest
    @MethodSource("queries")
    void readsNoTableThroughAndSortsNothing(String query) throws Exception {
        var file = directory.resolve("postern.db");
        Stores.open(file).close();

        var plan = plan(file, query);

        assertThat(plan).isNotEmpty();
        assertThat(plan.stream().filter(step -> step.startsWith("SCAN")))
                .allMatch(step -> step.contains("_open"), "of what is open");
        assertThat(plan).noneMatch(step -> step.contains("USE TEMP B-TREE FOR ORDER BY"));
    }

    private static List<String> plan(Path file, String query) throws SQLException {
        var steps = new ArrayList<String>();
        try (var connection = Connections.open(file);
                var statement = connection.prepareStatement("EXPLAIN QUERY PLAN " + query);
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                steps.add(rows.getString("detail"));
            }
        }
        return steps;
    }
}
