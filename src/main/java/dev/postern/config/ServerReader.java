package dev.postern.config;

import dev.postern.base.Limit;
import dev.postern.base.Limits;
import dev.postern.base.Names;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Timeouts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a list of server entries (SRV).
final class ServerReader {
    private static final Keys KEYS = new Keys(
            List.of(
                    "id",
                    "enabled",
                    "command",
                    "args",
                    "cwd",
                    "environment",
                    "transport",
                    "tools",
                    "scheduledTools",
                    "approval",
                    "parallel",
                    "protocol",
                    "limits",
                    "timeouts"),
            List.of("allow", "deny", "sandbox"),
            Map.of(
                    "url",
                    "transport",
                    "headers",
                    "transport",
                    "type",
                    "transport",
                    "name",
                    "id",
                    "disabled",
                    "enabled"));
    private static final String ID = "a lower-case letter, then at most 63 lower-case letters, digits or -";
    private static final String NAMES = "an array of exact tool names";
    private static final List<String> STDIO_ONLY = List.of("args", "cwd", "environment");

    private final Findings findings;
    private final Limits limits;
    private final Timeouts timeouts;
    private final Set<String> ids = new HashSet<>();

    /// @param limits the global ones
    /// @param timeouts likewise
    ServerReader(Findings findings, Limits limits, Timeouts timeouts) {
        this.findings = findings;
        this.limits = limits;
        this.timeouts = timeouts;
    }

    /// The entries in which nothing is wrong; what is wrong is reported.
    List<ServerEntry> read(Tree list, Place place) {
        String expected = "an array of server entries, each with its own \"id\"";
        if (!(list instanceof Tree.Arr array)) {
            Members.wrongType(findings, place, list, "the list of servers", expected);
            return List.of();
        }
        int most = limits.get(Limit.SERVERS);
        int count = array.items().size();
        if (count > most) {
            findings.problem(
                    place,
                    array.items().get(most).at(),
                    "there are " + count + " servers, disabled ones included, over the limit of " + most,
                    "at most " + most + "; " + Limit.SERVERS.key() + " raises it, up to " + Limit.SERVERS.ceiling());
        }
        // What is beyond every ceiling can't be in force, and isn't worth the time.
        int read = Math.min(count, Limit.SERVERS.ceiling());
        var entries = new ArrayList<ServerEntry>(read);
        for (int i = 0; i < read; i++) {
            var entry = entry(array.items().get(i), place.index(i));
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private @Nullable ServerEntry entry(Tree tree, Place place) {
        if (!(tree instanceof Tree.Obj object)) {
            Members.wrongType(findings, place, tree, "this entry", "an object, a server entry");
            return null;
        }
        var entry = new Members(object, place, KEYS, findings);
        String id = id(entry);
        var enabled = entry.bool("enabled", entry.required("enabled", "true or false"));
        var tools = toolNames(entry, "tools", entry.required("tools", NAMES + ", [] for none"));
        var scheduled = toolNames(entry, "scheduledTools", entry.get("scheduledTools"));
        if (tools != null && scheduled != null) {
            subset(tools, scheduled, entry.place("scheduledTools"));
        }
        var approval = entry.word("approval", List.of(Approval.values()), Approval.ASK);
        var parallel = entry.bool("parallel", entry.get("parallel"));
        var protocol = entry.word("protocol", List.of(ProtocolPin.values()), ProtocolPin.AUTO);
        var reader = new LimitsReader(findings);
        var ownLimits = reader.limits(entry, limits, false);
        var ownTimeouts = reader.timeouts(entry, timeouts);
        var launch = launch(entry, object, id == null ? "name" : id);
        if (id == null || enabled == null || tools == null || launch == null) {
            return null;
        }
        return new ServerEntry(
                id,
                enabled,
                values(tools),
                scheduled == null ? List.of() : values(scheduled),
                approval,
                Boolean.TRUE.equals(parallel),
                protocol,
                ownLimits,
                ownTimeouts,
                launch);
    }

    private @Nullable String id(Members entry) {
        var text = entry.text("id", entry.required("id", ID), ID);
        if (text == null) {
            return null;
        }
        String id = text.value();
        var place = entry.place("id");
        if (!Names.isId(id)) {
            findings.problem(place, text.at(), "the id " + findings.shown(id) + " is not valid", ID);
            return null;
        }
        if (id.equals("builtin")) {
            findings.problem(
                    place, text.at(), "the id \"builtin\" is reserved for the tools of Postern itself", "another id");
            return null;
        }
        if (!ids.add(id)) {
            findings.problem(
                    place, text.at(), "the id " + findings.shown(id) + " is taken by an earlier entry", "a unique id");
            return null;
        }
        return id;
    }

    /// A list of tool names, or null when it is absent or one of them is no name.
    private @Nullable List<Tree.Text> toolNames(Members entry, String key, @Nullable Tree value) {
        var array = entry.array(key, value, NAMES);
        if (array == null) {
            return null;
        }
        var place = entry.place(key);
        var texts = Strings.list(array, place, findings);
        if (texts == null) {
            return null;
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < texts.size(); i++) {
            var text = texts.get(i);
            if (text.value().isEmpty()) {
                findings.problem(place.index(i), text.at(), "this tool name is empty", "an exact tool name");
            } else if (!seen.add(text.value())) {
                findings.problem(
                        place.index(i),
                        text.at(),
                        "the tool " + findings.shown(text.value()) + " is listed twice",
                        "each tool once");
            } else if (!Names.isTool(text.value())) {
                warnOfName(text, place.index(i));
            }
        }
        return texts;
    }

    private void warnOfName(Tree.Text text, Place place) {
        findings.warning(
                place,
                text.at(),
                "no tool called " + findings.shown(text.value()) + " can ever be offered",
                "Names are exact, without wildcards: 1 to 128 letters, digits, _, . or -; `postern mcp discover` "
                        + "prints those of a server.");
    }

    private void subset(List<Tree.Text> tools, List<Tree.Text> scheduled, Place place) {
        var allowed = new HashSet<>(values(tools));
        for (int i = 0; i < scheduled.size(); i++) {
            var text = scheduled.get(i);
            if (!text.value().isEmpty() && !allowed.contains(text.value())) {
                findings.problem(
                        place.index(i),
                        text.at(),
                        "the scheduled tool " + findings.shown(text.value()) + " is not in \"tools\"",
                        "one of the names in \"tools\"");
            }
        }
    }

    private @Nullable Launch launch(Members entry, Tree.Obj object, String id) {
        boolean command = entry.has("command");
        boolean transport = entry.has("transport");
        if (command && transport) {
            findings.problem(
                    entry.place(),
                    object.at(),
                    "this entry has both \"command\" and \"transport\"",
                    "\"command\" for a program to start, or \"transport\" for a remote server");
        } else if (!command && !transport) {
            if (entry.meant("command") || entry.meant("transport")) {
                return null;
            }
            findings.problem(
                    entry.place(),
                    object.at(),
                    "this entry has neither \"command\" nor \"transport\"",
                    "\"command\" and \"args\" for a program to start, or \"transport\" for a remote server");
            return null;
        }
        var stdio = command ? new StdioReader(findings, entry.place().text().base()).read(entry, id) : null;
        var remote = transport ? new RemoteReader(findings).read(entry, id) : null;
        if (transport && !command) {
            for (var key : STDIO_ONLY) {
                var value = entry.get(key);
                if (value != null) {
                    findings.problem(
                            entry.place(key),
                            value.at(),
                            "\"" + key + "\" does not belong to a remote server",
                            "no \"" + key + "\" beside \"transport\"");
                }
            }
        }
        return command ? stdio : remote;
    }

    private static List<String> values(List<Tree.Text> texts) {
        var values = new ArrayList<String>(texts.size());
        for (var text : texts) {
            values.add(text.value());
        }
        return values;
    }
}
