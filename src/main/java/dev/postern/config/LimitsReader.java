package dev.postern.config;

import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.base.WaitSetting;
import java.util.ArrayList;

/// Reads `limits` and `timeouts` (LIM-2), at the top level or in an entry, over what is in force outside.
final class LimitsReader {
    private static final Keys GLOBAL = limitKeys(true);
    private static final Keys SERVER = limitKeys(false);
    private static final Keys TIMEOUTS = timeoutKeys();

    private final Findings findings;

    LimitsReader(Findings findings) {
        this.findings = findings;
    }

    /// @param global whether `servers`, which no single server can have, is among the keys
    Limits limits(Members owner, Limits outside, boolean global) {
        var object = owner.object("limits", owner.get("limits"), "an object of limits");
        if (object == null) {
            return outside;
        }
        var members = new Members(object, owner.place("limits"), global ? GLOBAL : SERVER, findings);
        var limits = outside;
        for (var limit : Limit.values()) {
            var value = members.get(limit.shortName());
            if (value != null) {
                int number = number(value, members.place(limit.shortName()), limit);
                limits = limits.with(limit, number);
            }
        }
        return limits;
    }

    /// The number that a value says, or the ceiling after a problem, so that no second one follows from it.
    private int number(Tree value, Place place, Limit limit) {
        String expected = "a whole number from 1 to " + limit.ceiling();
        if (!(value instanceof Tree.Num number)) {
            Members.wrongType(findings, place, value, "\"" + limit.shortName() + "\"", expected);
            return limit.ceiling();
        }
        long parsed = Whole.parse(number.written());
        if (parsed >= 1 && parsed <= limit.ceiling()) {
            return (int) parsed;
        }
        findings.problem(place, number.at(), limit.key() + " " + Whole.complaint(parsed, limit), expected);
        return limit.ceiling();
    }

    Timeouts timeouts(Members owner, Timeouts outside) {
        var object = owner.object("timeouts", owner.get("timeouts"), "an object of timeouts");
        if (object == null) {
            return outside;
        }
        var members = new Members(object, owner.place("timeouts"), TIMEOUTS, findings);
        var timeouts = outside;
        for (var timeout : Timeout.values()) {
            timeouts = timeout(members, timeout, timeouts);
        }
        return timeouts;
    }

    private Timeouts timeout(Members members, Timeout timeout, Timeouts timeouts) {
        var setting = new WaitSetting(timeout.shortName(), timeout.key(), timeout.ceiling());
        var duration = Numbers.duration(members, timeout.shortName(), setting, findings);
        return duration == null ? timeouts : timeouts.with(timeout, duration);
    }

    private static Keys limitKeys(boolean global) {
        var names = new ArrayList<String>();
        for (var limit : Limit.values()) {
            if (global || limit != Limit.SERVERS) {
                names.add(limit.shortName());
            }
        }
        return new Keys(names);
    }

    private static Keys timeoutKeys() {
        var names = new ArrayList<String>();
        for (var timeout : Timeout.values()) {
            names.add(timeout.shortName());
        }
        return new Keys(names);
    }
}
