package dev.postern.store;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Measures durable records, for `deploy/bench/intents.sh`: whole calls, each an intent and an outcome of its
/// own, with 1, 16 and 128 in flight.
final class IntentsMain {
    private static final int WARM_UP = 2_000;

    private IntentsMain() {}

    /// Measures.
    ///
    /// @param args the database, and how many calls each measurement makes
    public static void main(String... args) throws Exception {
        int calls = Integer.parseInt(args[1]);
        var commits = new AtomicInteger();
        Writer.Steps counting = step -> {
            if (step == Writer.Step.AFTER_COMMIT) {
                commits.incrementAndGet();
            }
        };
        var owners = new Stores.Processes("me");
        try (var store = Store.open(
                new DatabaseFile(Path.of(args[0]), Migrations.ours(), owners),
                owners,
                InstantSource.system(),
                counting)) {
            measure(store, 16, WARM_UP);
            System.out.println("in flight   calls/s   intents and outcomes/s   commits   intent p50 ms   p99 ms");
            for (int inFlight : new int[] {1, 16, 128}) {
                commits.set(0);
                var measured = measure(store, inFlight, calls);
                System.out.println(String.format(
                        Locale.ROOT,
                        "%9d %9.0f %24.0f %9d %15.2f %8.2f",
                        inFlight,
                        calls / measured.seconds,
                        2 * calls / measured.seconds,
                        commits.get(),
                        measured.at(50),
                        measured.at(99)));
            }
        }
    }

    private record Measured(double seconds, List<Long> nanos) {
        double at(int percent) {
            return nanos.get((int) ((nanos.size() - 1) * (long) percent / 100)) / 1e6;
        }
    }

    private static Measured measure(Store store, int inFlight, int calls) throws Exception {
        var nanos = new long[calls];
        var next = new AtomicInteger();
        long begin = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int caller = 0; caller < inFlight; caller++) {
                all.add(threads.submit(() -> {
                    for (int number = next.getAndIncrement(); number < calls; number = next.getAndIncrement()) {
                        var call = Stores.start(0);
                        long from = System.nanoTime();
                        store.intend(call, Stores.intent());
                        nanos[number] = System.nanoTime() - from;
                        store.settle(call, Stores.succeeded());
                    }
                    return null;
                }));
            }
            for (var each : all) {
                each.get();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Measured(seconds, Arrays.stream(nanos).sorted().boxed().toList());
    }
}
