package dev.postern.config;

import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Timeouts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the text of `config.json` and of the variables that override it into a [Config], or into every problem
/// in them (CFG-1, CFG-3). Never throws, whatever the text.
public final class ConfigParser {
    /// A JSON array in place of `mcpServers` (CFG-3).
    public static final String SERVERS_VARIABLE = "POSTERN_MCP_SERVERS";

    /// A number in place of every `limits.resultBytes`, that of the servers included (LIM-2).
    public static final String TOOL_BYTES_VARIABLE = "POSTERN_TOOL_BYTES";

    private static final Keys KEYS = new Keys(
            List.of("$schema", "mcpServers", "model", "run", "worker", "storage", "limits", "timeouts"),
            List.of("tasks", "api", "browser", "channels", "sandbox"),
            Map.of("servers", "mcpServers"));

    private static final Keys WORKER = new Keys(List.of("directCalls"), List.of(), Map.of());

    private ConfigParser() {}

    /// Reads all there is and reports all that is wrong with it.
    ///
    /// @param file null when there is none, which is an empty configuration
    /// @param servers what [#SERVERS_VARIABLE] holds, null when it is not set. The list in the file is checked
    ///     all the same: a broken file is not in order because one process doesn't use it.
    /// @param toolBytes what [#TOOL_BYTES_VARIABLE] holds, null when it is not set
    public static ConfigResult parse(
            @Nullable ConfigText file, @Nullable ConfigText servers, @Nullable ConfigText toolBytes) {
        var findings = new Findings();
        var config = file == null ? Config.EMPTY : file(file, findings);
        findings.sort();
        if (servers != null) {
            var list = servers(servers, config, findings);
            config = config.with(list, config.limits());
            findings.sort();
        }
        if (toolBytes != null) {
            config = withResultBytes(config, toolBytes, findings);
        }
        return findings.count() == 0 ? new ConfigResult.Accepted(config, findings.warnings()) : findings.rejected();
    }

    private static @Nullable Tree tree(ConfigText text, Findings findings) {
        if (!text.whole()) {
            findings.problem(
                    Place.root(text), text.text().length(), "there are bytes that are not UTF-8", "text in UTF-8");
            return null;
        }
        var reader = new JsonReader(text, findings);
        var tree = reader.read();
        return reader.stopped() ? null : tree;
    }

    private static Config file(ConfigText text, Findings findings) {
        var tree = tree(text, findings);
        if (tree == null) {
            return Config.EMPTY;
        }
        var place = Place.root(text);
        if (!(tree instanceof Tree.Obj object)) {
            Members.wrongType(findings, place, tree, "the configuration", "an object; the smallest is {}");
            return Config.EMPTY;
        }
        var members = new Members(object, place, KEYS, findings);
        members.text("$schema", members.get("$schema"), "the place of a JSON Schema, a string");
        var reader = new LimitsReader(findings);
        Limits limits = reader.limits(members, Limits.standard(), true);
        Timeouts timeouts = reader.timeouts(members, Timeouts.standard());
        var list = members.get("mcpServers");
        var entries = list == null
                ? List.<ServerEntry>of()
                : new ServerReader(findings, limits, timeouts).read(list, members.place("mcpServers"));
        return new Config(
                entries,
                limits,
                timeouts,
                new StorageReader(findings).retention(members),
                directCalls(members, findings),
                new AgentReader(findings).read(members));
    }

    private static boolean directCalls(Members owner, Findings findings) {
        var object = owner.object("worker", owner.get("worker"), "an object of the worker's settings");
        if (object == null) {
            return false;
        }
        var members = new Members(object, owner.place("worker"), WORKER, findings);
        return Boolean.TRUE.equals(members.bool("directCalls", members.get("directCalls")));
    }

    private static List<ServerEntry> servers(ConfigText text, Config file, Findings findings) {
        if (text.text().isBlank()) {
            findings.problem(
                    Place.root(text),
                    0,
                    "the variable is set and empty",
                    "a JSON array of server entries, [] to turn every server off, or the variable unset");
            return List.of();
        }
        var tree = tree(text, findings);
        return tree == null
                ? List.of()
                : new ServerReader(findings, file.limits(), file.timeouts()).read(tree, Place.root(text));
    }

    private static Config withResultBytes(Config config, ConfigText text, Findings findings) {
        long bytes = Whole.parse(text.text());
        var limit = Limit.RESULT_BYTES;
        if (bytes < 1 || bytes > limit.ceiling()) {
            findings.problem(
                    Place.root(text),
                    0,
                    "the value " + Whole.complaint(bytes, limit),
                    "a whole number from 1 to " + limit.ceiling() + ", as for " + limit.key());
            return config;
        }
        var entries = new ArrayList<ServerEntry>(config.servers().size());
        for (var entry : config.servers()) {
            entries.add(entry.withLimits(entry.limits().with(limit, (int) bytes)));
        }
        return config.with(entries, config.limits().with(limit, (int) bytes));
    }
}
