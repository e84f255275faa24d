package dev.postern.base;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/// Makes ids that sort by time: UUIDv7 with a prefix (CLI-8; RFC 9562 section 5.7). Safe for use by many
/// threads.
public final class Ids {
    public static final String RUN = "run_";
    public static final String CALL = "call_";
    public static final String SESSION = "chat_";
    private static final String APPROVAL = "appr_";

    /// An id has 48 bits for its time.
    private static final long LAST_MILLI = (1L << 48) - 1;

    private final InstantSource time;
    private final SecureRandom random = new SecureRandom();

    public Ids(InstantSource time) {
        this.time = time;
    }

    /// Such as `call_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e`.
    public String call() {
        return CALL + next();
    }

    /// Such as `run_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e`.
    public String run() {
        return RUN + next();
    }

    /// Such as `chat_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e`.
    public String session() {
        return SESSION + next();
    }

    /// Such as `appr_0190f3c2-7a4e-7c1d-9b7e-3f1b2a6c5d4e`.
    public String approval() {
        return APPROVAL + next();
    }

    /// Ids of runs that were made before `at` sort before this; it is the id of none. No id is from before 1970.
    public static String runsBefore(Instant at) {
        return RUN + new UUID(Math.clamp(at.toEpochMilli(), 0, LAST_MILLI) << 16, 0);
    }

    private UUID next() {
        long high = (time.millis() << 16) | 0x7000L | random.nextInt(1 << 12);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
