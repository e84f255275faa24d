package dev.postern.cli;

import dev.postern.base.ErrorCode;
import dev.postern.base.Ids;
import dev.postern.base.Problem;
import dev.postern.base.VisibleText;
import org.jspecify.annotations.Nullable;

/// Ids of runs, calls and sessions as people give them: UUIDs behind a prefix (CLI-8), whole or only their beginning.
enum RecordId {
    RUN("run", Ids.RUN, "postern runs show ", "`postern runs list` shows it"),
    CALL("call", Ids.CALL, "postern calls show ", "`postern runs list` and `postern runs show` show it"),
    SESSION("session", Ids.SESSION, "postern chat show ", "`postern chat list` shows it");

    private static final String EXAMPLE = "01890f3c-7a4e-7c1d-9b7e-3f1b2a6c5d4e";
    private static final String HEX = "0123456789abcdef";

    /// As much as is repeated of what somebody typed.
    private static final int SHOWN = 80;

    private final String word;
    private final String prefix;
    private final String command;
    private final String shownBy;

    RecordId(String word, String prefix, String command, String shownBy) {
        this.word = word;
        this.prefix = prefix;
        this.command = command;
        this.shownBy = shownBy;
    }

    /// What is wrong with the beginning of an id, or null. An id of the other kind is told with the command for it.
    @Nullable
    Problem mistakeIn(String text) {
        if (isBeginning(text)) {
            return null;
        }
        for (var other : values()) {
            if (other != this && other.isBeginning(text)) {
                return new Problem(
                        ErrorCode.USAGE,
                        text + " is the id of a " + other.word + ", and this command takes that of a " + word + ".",
                        "Run `" + other.command + text + "`.");
            }
        }
        return new Problem(
                ErrorCode.USAGE,
                "\"" + VisibleText.line(text, SHOWN) + "\" is not the id of a " + word + ", nor the beginning of one.",
                "Give it as " + shownBy + ", such as " + prefix + EXAMPLE
                        + "; its beginning will do, if no other begins so.");
    }

    /// Whether it is a whole id.
    boolean isWhole(String text) {
        return isBeginning(text) && text.length() == prefix.length() + EXAMPLE.length();
    }

    private boolean isBeginning(String text) {
        if (!text.startsWith(prefix) || text.length() == prefix.length()) {
            return false;
        }
        var uuid = text.substring(prefix.length());
        if (uuid.length() > EXAMPLE.length()) {
            return false;
        }
        for (int at = 0; at < uuid.length(); at++) {
            boolean hyphen = EXAMPLE.charAt(at) == '-';
            if (hyphen ? uuid.charAt(at) != '-' : HEX.indexOf(uuid.charAt(at)) < 0) {
                return false;
            }
        }
        return true;
    }
}
