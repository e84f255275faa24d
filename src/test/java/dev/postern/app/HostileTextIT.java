package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.LeavesNothingBehind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Wherever a server can put text, it puts a text that would clear the screen, set the title, turn lines around
/// and hide words; whatever a command prints of it, as text or as JSON, shows the characters instead of obeying
/// them.
@ExtendWith(LeavesNothingBehind.class)
@Tag("CAT-5")
@Tag("T35")
class HostileTextIT {
    /// As JSON writes it: ESC, BEL, CSI in its 8-bit form, carriage return, backspace, delete, bidirectional
    /// overrides and isolates, zero-width blanks, a byte order mark, tags, a line separator, a private
    /// character.
    private static final String HOSTILE =
            "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\r\\b\\u007f\\u202egnol\\u2066\\u200b\\u2060\\ufeff"
                    + "\\udb40\\udc41\\u2028\\ue000\\u061c\\u00ad";

    /// The same, raw, for what is no JSON.
    private static final String RAW = "\u001b[2J\u009b31m\r\u202egnol\u200b\ufeff";

    @TempDir
    private Path dir;

    @TempDir
    private Path scripts;

    static Stream<Arguments> commands() {
        var all = new ArrayList<Arguments>();
        for (var json : List.of("", " --json")) {
            for (var line : List.of(
                    "0; mcp tools s; description-,schema-key-,reason-",
                    "0; mcp discover s; description-,name-",
                    "0; call s text {}; text-,uri-",
                    "0; call s structure {}; key-,value-",
                    "5; call s iserror {}; words-",
                    "5; call s rpcerror {}; error-",
                    "5; call s broken {}; property-",
                    "7; call s strict {\"x\":1}; required-",
                    "6; call s noisy {} --show-stderr; stderr-",
                    "6; call s dies {} --show-stderr; last-",
                    "4; mcp tools version; version-",
                    "4; mcp tools refuses; refused-",
                    "4; mcp tools exits --show-stderr; startup-",
                    "4; mcp tools twice; twin-",
                    "0; mcp status; ",
                    "0; mcp servers; ")) {
                var parts = line.split("; ?", -1);
                all.add(Arguments.of(Integer.parseInt(parts[0]), parts[1] + json, parts[2]));
            }
        }
        all.add(Arguments.of(0, "mcp tools s --json", "schema-title-,enum-"));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isShownAndNotObeyed(int exit, String command, String places) throws Exception {
        var commands = new Commands(dir, scripts);
        new Places(HOSTILE, RAW).configure(commands);

        var ended = commands.run(command.split(" ", -1));

        var printed = ended.out() + ended.err();
        assertThat(ended.exit()).as(printed).isEqualTo(exit);
        assertThat(printed.codePoints().filter(HostileTextIT::acts).mapToObj(Integer::toHexString))
                .as(printed)
                .isEmpty();
        for (var place : places.isEmpty() ? List.<String>of() : List.of(places.split(",", -1))) {
            assertThat(printed).containsPattern(place + "(\\\\u001[bB]|\\\\u\\{1B\\}|\\\\\\\\u\\{1B\\})");
        }
    }

    private static boolean acts(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n';
            case Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
