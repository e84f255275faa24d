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
        var members = new Members(object, owner.place("storage"), KEYS, findings);
        long days = number(members, DAYS, Retention.STANDARD_DAYS, 1, Retention.MOST_DAYS);
        long bytes = number(members, BYTES, Retention.STANDARD_BYTES, Retention.LEAST_BYTES, Retention.MOST_BYTES);
        return new Retention(Duration.ofDays(days), bytes);
    }

    /// The number that a key says; `standard` when it is not there, and after a problem.
    private long number(Members members, String key, long standard, long least, long most) {
        var value = members.get(key);
        if (value == null) {
            return standard;
        }
        String expected = "a whole number from " + least + " to " + most;
        if (!(value instanceof Tree.Num number)) {
            Members.wrongType(findings, members.place(key), value, "\"" + key + "\"", expected);
            return standard;
        }
        long parsed = Whole.parse(number.written());
        if (parsed >= least && parsed <= most) {
            return parsed;
        }
        findings.problem(
                members.place(key),
                number.at(),
                "storage." + key + " " + Whole.complaint(parsed, least, most),
                expected);
        return standard;
    }
}
