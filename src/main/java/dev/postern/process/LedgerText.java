package dev.postern.process;

import dev.postern.base.ProcessIdentity;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What one file of the run ledger says: lines of a word and its value. The first part is there before the process
/// is, the second is added when it runs; without a whole second part the instance is known by its marker alone.
///
/// @param server its id
/// @param owner the host that started it
/// @param marker the value of [LaunchSpec#MARKER]
/// @param instance the process that the host started, null when nobody could write that down
/// @param session the session that it leads, 0 for none
record LedgerText(
        String server,
        ProcessIdentity owner,
        String marker,
        @Nullable ProcessIdentity instance,
        long session) {
    private static final String HEAD = "postern-instance 1\n";

    private static final Pattern FORM = Pattern.compile("""
            postern-instance 1
            server ([a-z0-9-]{1,64})
            owner (.+)
            marker ([0-9a-f]{1,32})
            (?:instance (.+)
            session (\\d{1,10})
            )?+""");

    /// What is written before the process is started.
    static String first(String server, ProcessIdentity owner, String marker) {
        return HEAD + "server " + server + "\nowner " + owner.text() + "\nmarker " + marker + "\n";
    }

    /// What is added as soon as it runs.
    static String second(ProcessIdentity instance, long session) {
        return "instance " + instance.text() + "\nsession " + session + "\n";
    }

    /// Null for anything that was not written here. Of a second part whose writer was killed nothing counts.
    static @Nullable LedgerText parse(String text) {
        var matcher = FORM.matcher(text);
        if (!matcher.lookingAt()) {
            return null;
        }
        var rest = text.substring(matcher.end());
        boolean torn = matcher.group(4) == null && ("instance ".startsWith(rest) || rest.startsWith("instance "));
        if (!rest.isEmpty() && !torn) {
            return null;
        }
        var owner = ProcessIdentity.parse(matcher.group(2));
        if (owner == null) {
            return null;
        }
        if (matcher.group(4) == null) {
            return new LedgerText(matcher.group(1), owner, matcher.group(3), null, 0);
        }
        var instance = ProcessIdentity.parse(matcher.group(4));
        return instance == null
                ? null
                : new LedgerText(matcher.group(1), owner, matcher.group(3), instance, Long.parseLong(matcher.group(5)));
    }
}
