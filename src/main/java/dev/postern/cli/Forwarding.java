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
        return switch (name) {
            case MCP_SERVERS,
                    MCP_STATUS,
                    MCP_TOOLS,
                    MCP_DISCOVER,
                    CHAT_NEW,
                    CHAT_CONTINUE,
                    CHAT_LIST,
                    CHAT_SHOW,
                    CHAT_DELETE,
                    EXEC,
                    RUNS_LIST,
                    RUNS_SHOW,
                    RUNS_WATCH,
                    RUNS_CANCEL,
                    RUNS_APPROVALS,
                    RUNS_APPROVE,
                    RUNS_REFUSE,
                    CALLS_SHOW -> true;
            case CALL -> calls;
            case RUNS_PRUNE,
                    CONFIG_CHECK,
                    CONFIG_SCHEMA,
                    CREDENTIAL_SET,
                    CREDENTIAL_LIST,
                    CREDENTIAL_REMOVE,
                    WORKER_RUN,
                    WORKER_START,
                    WORKER_STOP,
                    WORKER_RESTART,
                    WORKER_STATUS,
                    WORKER_LOGS,
                    WORKER_INSTALL,
                    WORKER_UNINSTALL,
                    DOCTOR,
                    QUICKSTART,
                    COMPLETION,
                    DEMO_SERVER -> false;
        };
    }
}
