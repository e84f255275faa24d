package dev.postern.cli;

import dev.postern.base.Nearest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every command there is, in the order of the help. Knows nothing of Picocli, so that a command line that
/// needs no help from it is not slowed down by it.
enum CommandName {
    MCP_SERVERS("mcp", "servers", 0, 0),
    MCP_STATUS("mcp", "status", 0, 0),
    MCP_TOOLS("mcp", "tools", 1, 1),
    MCP_DISCOVER("mcp", "discover", 1, 1),
    CALL("", "call", 2, Integer.MAX_VALUE),
    RUNS_LIST("runs", "list", 0, 0),
    RUNS_SHOW("runs", "show", 1, 1),
    RUNS_WATCH("runs", "watch", 1, 1),
    RUNS_CANCEL("runs", "cancel", 1, 1),
    RUNS_APPROVALS("runs", "approvals", 0, 0),
    RUNS_APPROVE("runs", "approve", 1, 1),
    RUNS_REFUSE("runs", "refuse", 1, 1),
    RUNS_PRUNE("runs", "prune", 0, 0),
    CALLS_SHOW("calls", "show", 1, 1),
    CHAT_NEW("chat", "new", 1, 1),
    CHAT_CONTINUE("chat", "continue", 2, 2),
    CHAT_LIST("chat", "list", 0, 0),
    CHAT_SHOW("chat", "show", 1, 1),
    CHAT_DELETE("chat", "delete", 1, 1),
    EXEC("", "exec", Integer.MAX_VALUE, Integer.MAX_VALUE),
    CONFIG_CHECK("config", "check", 0, 0),
    CONFIG_SCHEMA("config", "schema", 0, 0),
    CREDENTIAL_SET("credential", "set", 1, 1),
    CREDENTIAL_LIST("credential", "list", 0, 0),
    CREDENTIAL_REMOVE("credential", "remove", 1, 1),
    WORKER_RUN("worker", "run", 0, 0),
    WORKER_START("worker", "start", 0, 0),
    WORKER_STOP("worker", "stop", 0, 0),
    WORKER_RESTART("worker", "restart", 0, 0),
    WORKER_STATUS("worker", "status", 0, 0),
    WORKER_LOGS("worker", "logs", 0, 0),
    WORKER_INSTALL("worker", "install", 0, 0),
    WORKER_UNINSTALL("worker", "uninstall", 0, 0),
    DOCTOR("", "doctor", 0, 0),
    QUICKSTART("", "quickstart", 0, 0),
    COMPLETION("", "completion", 1, 1),
    DEMO_SERVER("", "demo-server", 0, 0);

    private final String group;
    private final String word;
    private final int least;
    private final int most;

    CommandName(String group, String word, int least, int most) {
        this.group = group;
        this.word = word;
        this.least = least;
        this.most = most;
    }

    /// The word before it, such as `mcp`; empty when there is none.
    String group() {
        return group;
    }

    String word() {
        return word;
    }

    boolean takes(int parameters) {
        return least <= parameters && parameters <= most;
    }

    Command command() {
        return switch (this) {
            case MCP_SERVERS -> new McpServersCommand();
            case MCP_STATUS -> new McpStatusCommand();
            case MCP_TOOLS -> new McpToolsCommand();
            case MCP_DISCOVER -> new McpDiscoverCommand();
            case CALL -> new CallCommand();
            case CHAT_NEW -> new ChatNewCommand();
            case CHAT_CONTINUE -> new ChatContinueCommand();
            case CHAT_LIST -> new ChatListCommand();
            case CHAT_SHOW -> new ChatShowCommand();
            case CHAT_DELETE -> new ChatDeleteCommand();
            case EXEC -> new ExecCommand();
            case RUNS_LIST -> new RunsListCommand();
            case RUNS_SHOW -> new RunsShowCommand();
            case RUNS_WATCH -> new RunsWatchCommand();
            case RUNS_CANCEL -> new RunsCancelCommand();
            case RUNS_APPROVALS -> new RunsApprovalsCommand();
            case RUNS_APPROVE -> new RunsAnswerCommand(true);
            case RUNS_REFUSE -> new RunsAnswerCommand(false);
            case RUNS_PRUNE -> new RunsPruneCommand();
            case CALLS_SHOW -> new CallsShowCommand();
            case CONFIG_CHECK -> new ConfigCheckCommand();
            case CONFIG_SCHEMA -> new ConfigSchemaCommand();
            case CREDENTIAL_SET -> new CredentialSetCommand();
            case CREDENTIAL_LIST -> new CredentialListCommand();
            case CREDENTIAL_REMOVE -> new CredentialRemoveCommand();
            case WORKER_RUN -> new WorkerRunCommand();
            case WORKER_START -> new WorkerStartCommand(false);
            case WORKER_STOP -> new WorkerStopCommand();
            case WORKER_RESTART -> new WorkerStartCommand(true);
            case WORKER_STATUS -> new WorkerStatusCommand();
            case WORKER_LOGS -> new WorkerLogsCommand();
            case WORKER_INSTALL -> new WorkerInstallCommand(true);
            case WORKER_UNINSTALL -> new WorkerInstallCommand(false);
            case DOCTOR -> new DoctorCommand();
            case QUICKSTART -> new QuickstartCommand();
            case COMPLETION -> new CompletionCommand();
            case DEMO_SERVER -> new DemoServerCommand();
        };
    }

    /// The command that these words begin with, or null.
    static @Nullable CommandName at(List<String> words) {
        for (var name : values()) {
            boolean grouped = !name.group.isEmpty();
            if (words.size() >= name.words()
                    && (!grouped || words.getFirst().equals(name.group))
                    && words.get(name.words() - 1).equals(name.word)) {
                return name;
            }
        }
        return null;
    }

    /// How many words name it.
    int words() {
        return group.isEmpty() ? 1 : 2;
    }

    /// What may stand after `group`, or at the beginning for `""`, hidden commands excepted.
    static List<String> wordsUnder(String group) {
        var words = new ArrayList<String>();
        for (var name : values()) {
            var word = group.isEmpty() && !name.group.isEmpty() ? name.group : name.word;
            if ((group.isEmpty() || name.group.equals(group)) && name != DEMO_SERVER && !words.contains(word)) {
                words.add(word);
            }
        }
        return words;
    }

    /// The command that was most likely meant by words that name none, without `postern`; or null.
    ///
    /// @param group what stands before the words; empty for nothing
    static @Nullable String nearest(String group, List<String> words) {
        var word = words.getFirst();
        var near = Nearest.of(word, wordsUnder(group));
        var elsewhere = groupOf(word);
        var moved = elsewhere == null ? null : elsewhere + " " + word;
        if (!group.isEmpty()) {
            return near == null ? moved : group + " " + near;
        }
        boolean whole = near != null && words.size() > 1 && at(List.of(near, words.get(1))) != null;
        return whole ? near + " " + words.get(1) : moved == null ? near : moved;
    }

    private static @Nullable String groupOf(String word) {
        for (var name : values()) {
            if (!name.group.isEmpty() && name.word.equals(word)) {
                return name.group;
            }
        }
        return null;
    }
}
