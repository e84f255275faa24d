package dev.postern.cli;

import dev.postern.store.CallEnd;
import dev.postern.store.CallStart;
import dev.postern.store.Owners;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Recorded runs for the snapshots, in a real database.
final class SampleRecords {
    /// The time that the ids of the samples say.
    private static final Instant THEN = Instant.ofEpochMilli(0x01a22db00000L);

    /// A day later.
    static final InstantSource CLOCK = InstantSource.fixed(THEN.plusSeconds(86_400));

    static final Owners OWNERS = new Owners() {
        @Override
        public String own() {
            return "4711 123456 0f5a1c3e-9d1b-4a57-8e53-51d0f0a1b2c3 pid:[4026531836]";
        }

        @Override
        public boolean gone(String owner) {
            return false;
        }
    };

    private SampleRecords() {}

    static String run(int number) {
        return "run_01a22db0-0000-7000-8000-00000000000" + number;
    }

    static String call(int number) {
        return "call_01a22db0-0000-7000-8000-00000000000" + number;
    }

    /// One run of each kind: succeeded, failed with hostile text, refused, and one that is open.
    static void write(Path database) {
        try (var store = Store.open(database, OWNERS, CLOCK)) {
            store.intend(start(1, "read_file"), intent("{\"path\":\"/notes/today.txt\"}"));
            store.settle(
                    start(1, "read_file"),
                    end(
                            "succeeded",
                            "completed",
                            null,
                            new CallEnd.Result(
                                    "[{\"type\":\"text\",\"text\":\"buy milk, [redacted:token]\"}]",
                                    "{\"lines\":1}",
                                    true,
                                    "{\"image\":2}",
                                    false,
                                    1)));
            store.intend(start(2, "zap"), intent("{}"));
            store.settle(
                    start(2, "zap"),
                    end(
                            "failed",
                            "failed",
                            new CallEnd.Trouble("result.error", "It said: " + Samples.HOSTILE, "Read its words."),
                            new CallEnd.Result("[]", null, false, "{}", false, 0)));
            store.settle(
                    start(3, "delete_everything"),
                    new CallEnd(
                            null,
                            THEN.plusMillis(1),
                            1,
                            "refused",
                            "failed",
                            new CallEnd.Trouble("policy.not-allowed", "It is not allowed.", "Allow it."),
                            null));
            store.intend(start(4, "read_file"), intent("{\"path\":\"/notes/tomorrow.txt\"}"));
        } catch (StoreException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static CallStart start(int number, String tool) {
        return new CallStart(
                call(number), run(number), "cli", "command", new CallStart.What("files", tool, null), THEN);
    }

    private static CallStart.Intent intent(String arguments) {
        return new CallStart.Intent("5f1e", arguments, arguments.length(), THEN.plusMillis(5));
    }

    private static CallEnd end(String outcome, String state, CallEnd.@Nullable Trouble trouble, CallEnd.Result result) {
        return new CallEnd(THEN.plusMillis(6), THEN.plusMillis(20), 20, outcome, state, trouble, result);
    }
}
