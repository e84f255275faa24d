package dev.postern.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which commands the worker runs for a client (WRK-2): those that inspect, start runs, follow, cancel or answer
/// approvals. None that changes configuration or secrets, and none that runs a tool directly, unless its owner has
/// allowed that.
///
/// @param calls whether `call` is taken too
public record Forwarding(boolean calls) {
    /// Whether the command that these words name is taken. What is wrong with them otherwise, the command tells.
    public boolean takes(List<String> words) {
        var name = named(words);
        return name != null && takes(name);
    }

    /// The command's own words, such as `mcp status`, without anything that was given to it; empty for none.
    public static String nameOf(List<String> words) {
        var name = named(words);
        return name == null ? "" : (name.group() + " " + name.word()).strip();
    }

    private static @Nullable CommandName named(List<String> words) {
        var plain = new ArrayList<String>();
        boolean value = false;
        for (var word : words) {
            if (word.equals("--")) {
                break;
            }
            if (!value && !word.startsWith("-")) {
                plain.add(word);
            }
            value = !value && word.equals(Shapes.DATA_DIR);
        }
        return CommandName.at(plain);
    }

    boolean takes(CommandName name) {
        return switch (name.group()) {
            case "mcp", "calls" -> true;
            case "runs" -> !name.word().equals("prune");
            default -> calls && name == CommandName.CALL;
        };
    }
}
