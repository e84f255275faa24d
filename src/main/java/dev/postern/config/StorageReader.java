package dev.postern.config;

import dev.postern.base.Retention;
import java.time.Duration;
import java.util.List;

/// Reads `storage`: how long records are kept, and how much room they may take (STO-2).
final class StorageReader {
    private static final String DAYS = "days";
    private static final String BYTES = "bytes";
    private static final Keys KEYS = new Keys(List.of(DAYS, BYTES));

    private final Findings findings;

    StorageReader(Findings findings) {
        this.findings = findings;
    }

    Retention retention(Members owner) {
        var object = owner.object("storage", owner.get("storage"), "an object with days, bytes or both");
        if (object == null) {
            return Retention.STANDARD;
        }
        var numbers = new Numbers(new Members(object, owner.place("storage"), KEYS, findings), "storage", findings);
        long days = numbers.number(DAYS, Retention.STANDARD_DAYS, 1, Retention.MOST_DAYS);
        long bytes = numbers.number(BYTES, Retention.STANDARD_BYTES, Retention.LEAST_BYTES, Retention.MOST_BYTES);
        return new Retention(Duration.ofDays(days), bytes);
    }
}
