package dev.postern.store;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A process that records calls until it is killed. Prints each id once the store has acknowledged it:
/// `intended ID`, `settled ID`; and `stopped` when it has come to the step at which it is to wait for its end.
final class CallingMain {
    private CallingMain() {}

    /// Records until it is killed.
    ///
    /// @param args the database, how many callers there are, how many calls each makes, and before which of the
    ///     writer's steps it stops; -1 for none
    public static void main(String... args) throws Exception {
        int callers = Integer.parseInt(args[1]);
        int calls = Integer.parseInt(args[2]);
        int stopAt = Integer.parseInt(args[3]);
        var count = new AtomicInteger();
        Writer.Steps steps = step -> {
            if (count.getAndIncrement() == stopAt) {
                System.out.println("stopped");
                forever();
            }
        };
        try (var store = Stores.open(Path.of(args[0]), new Stores.Processes("victim"), steps)) {
            System.out.println("opened");
            var threads = new Thread[callers];
            for (int caller = 0; caller < callers; caller++) {
                int number = caller;
                threads[caller] = Thread.ofPlatform().start(() -> call(store, number, calls));
            }
            for (var thread : threads) {
                thread.join();
            }
        }
        System.out.println("done");
        forever();
    }

    private static void call(Store store, int caller, int calls) {
        try {
            for (int number = 0; number < calls; number++) {
                var call = Stores.start(caller * 1_000L + number);
                store.intend(call, Stores.intent("{\"text\":\"" + "x".repeat(200) + "\"}"));
                System.out.println("intended " + call.callId());
                store.settle(call, Stores.succeeded());
                System.out.println("settled " + call.callId());
            }
        } catch (StoreException e) {
            System.out.println("failed " + e.getMessage());
        }
    }

    private static void forever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
