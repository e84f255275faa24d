package dev.postern.config;

import dev.postern.base.Durations;
import dev.postern.base.WaitSetting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads numbers and durations of an object that has a name, such as `storage`. Confined to one parse.
final class Numbers {
    private final Members members;
    private final String owner;
    private final Findings findings;

    Numbers(Members members, String owner, Findings findings) {
        this.members = members;
        this.owner = owner;
        this.findings = findings;
    }

    /// The number that a key says; `standard` when it is not there, and after a problem.
    long number(String key, long standard, long least, long most) {
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
                owner + "." + key + " " + Whole.complaint(parsed, least, most),
                expected);
        return standard;
    }

    /// The duration that a key says; `standard` when it is not there, and after a problem.
    Duration duration(String key, Duration standard, WaitSetting setting) {
        var duration = duration(members, key, setting, findings);
        return duration == null ? standard : duration;
    }

    /// The duration that a key says, or null: absent, or a problem that was reported.
    static @Nullable Duration duration(Members members, String key, WaitSetting setting, Findings findings) {
        String expected =
                "a duration such as \"500ms\", \"8s\", \"2m\" or \"1h\", at most " + Durations.text(setting.ceiling());
        var text = members.text(key, members.get(key), expected);
        if (text == null) {
            return null;
        }
        var duration = Durations.parse(text.value());
        String seen;
        if (duration == null) {
            seen = " is " + findings.shown(text.value()) + ", which is no duration";
        } else if (duration.isZero()) {
            seen = " is zero";
        } else if (duration.compareTo(setting.ceiling()) > 0) {
            seen = " is " + Durations.text(duration) + ", over its ceiling of " + Durations.text(setting.ceiling());
        } else {
            return duration;
        }
        findings.problem(members.place(key), text.at(), setting.key() + seen, expected);
        return null;
    }
}
