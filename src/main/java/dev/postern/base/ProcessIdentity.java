package dev.postern.base;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What tells one process from every other there ever was on this machine: a pid alone is given away again
/// (PRC-4). Written down by whoever owns something that outlives it; compared by whoever finds that later.
///
/// @param started clock ticks from boot to its start, as the kernel counts them
/// @param boot the kernel's random id of this boot
/// @param space the PID namespace in which `pid` means this process, such as `pid:[4026531836]`
public record ProcessIdentity(long pid, long started, String boot, String space) {
    private static final Pattern TEXT =
            Pattern.compile("([1-9]\\d{0,9}) (\\d{1,18}) ([\\w-]{1,64}) ([\\w:\\[\\]]{1,64})");

    /// One line without line end, which [#parse] reads.
    public String text() {
        return pid + " " + started + " " + boot + " " + space;
    }

    /// Null for anything that [#text] would not have written.
    public static @Nullable ProcessIdentity parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new ProcessIdentity(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        matcher.group(3),
                        matcher.group(4))
                : null;
    }
}
