package dev.postern.store;

import dev.postern.base.Retention;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/// Fills a database with calls, for `deploy/bench/growth.sh`, and measures what opening and listing then take.
final class GrowthMain {
    private static final int A_TRANSACTION = 10_000;
    private static final int OPEN = 100;

    private GrowthMain() {}

    /// Fills and measures.
    ///
    /// @param args the database, and how many calls it is to hold
    public static void main(String... args) throws Exception {
        var file = Path.of(args[0]);
        int calls = Integer.parseInt(args[1]);
        Stores.open(file).close();
        long begin = System.nanoTime();
        fill(file, calls);
        System.out.printf(
                Locale.ROOT, "filled with %,d calls in %.1f s, %,d bytes%n", calls, seconds(begin), Files.size(file));

        begin = System.nanoTime();
        try (var store = Store.open(file, new Stores.Processes("me", "dead"), InstantSource.system())) {
            System.out.printf(
                    Locale.ROOT, "opened, %d calls of a dead owner settled: %.1f ms%n", OPEN, seconds(begin) * 1_000);
            for (int round = 0; round < 3; round++) {
                begin = System.nanoTime();
                var page = store.runs(20, null);
                System.out.printf(Locale.ROOT, "newest 20 runs: %.2f ms%n", seconds(begin) * 1_000);
                begin = System.nanoTime();
                var _ = store.runs(20, middle(calls));
                System.out.printf(Locale.ROOT, "20 runs from the middle: %.2f ms%n", seconds(begin) * 1_000);
                begin = System.nanoTime();
                var _ = store.callsOf(page.getFirst().id());
                System.out.printf(Locale.ROOT, "one run: %.2f ms%n", seconds(begin) * 1_000);
            }
            begin = System.nanoTime();
            store.settle(Stores.start(0), Stores.succeeded());
            System.out.printf(Locale.ROOT, "one more call: %.2f ms%n", seconds(begin) * 1_000);
            begin = System.nanoTime();
            store.pruneInPassing(new Retention(Duration.ofDays(36_500), 1L << 20));
            System.out.printf(Locale.ROOT, "a prune in passing: %.1f ms%n", seconds(begin) * 1_000);
        }
        begin = System.nanoTime();
        Store.open(file, new Stores.Processes("me", "dead"), InstantSource.system())
                .close();
        System.out.printf(Locale.ROOT, "opened and closed, nothing to settle: %.1f ms%n", seconds(begin) * 1_000);
    }

    /// A call a minute, so that the oldest is years old; the newest are open.
    private static void fill(Path file, int calls) throws Exception {
        try (var connection = Connections.open(file)) {
            Connections.run(connection, "PRAGMA synchronous = OFF");
            var statements = new Statements(connection);
            for (int from = 0; from < calls; from += A_TRANSACTION) {
                Connections.run(connection, "BEGIN IMMEDIATE");
                for (int number = from; number < Math.min(calls, from + A_TRANSACTION); number++) {
                    var call = Stores.start((calls - number) * 60L);
                    CallWrites.begin(statements, "dead", call, Stores.intent());
                    if (number < calls - OPEN) {
                        CallWrites.end(statements, "dead", call, Stores.succeeded());
                    }
                }
                Connections.run(connection, "COMMIT");
            }
        }
    }

    private static String middle(int calls) {
        return Stores.start(calls / 2 * 60L).runId();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
