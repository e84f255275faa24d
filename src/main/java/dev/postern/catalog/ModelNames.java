package dev.postern.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// The names under which a model sees tools (MOD-1): stable across runs, distinct across servers, made of
/// `[a-z0-9_]` only, and 61 characters at most. A model knows no other name, so a server can't choose one that
/// looks like a tool of ours or of another server.
public final class ModelNames {
    private static final String PREFIX = "postern_mcp_";
    private static final int READABLE = 24;
    private static final int HASH_DIGITS = 12;

    private ModelNames() {}

    /// What a set of tools is called.
    ///
    /// @param tools by the name that a model sees, in the order given
    /// @param refused those that would share a name: nobody could tell which one a model means
    public record Assigned(SequencedMap<String, Tool> tools, List<Tool> refused) {}

    /// `postern_mcp_`, the name in lower case with every other character as `_`, cut at 24, `_`, and 12 hex
    /// digits of SHA-256 over the server's id, NUL, and the tool's name.
    public static String of(String server, String tool) {
        return PREFIX + readable(tool) + '_' + Digest.of(server + '\0' + tool).substring(0, HASH_DIGITS);
    }

    /// Names for all tools of a run, whatever servers they are of.
    public static Assigned assign(Collection<Tool> tools) {
        var named = new LinkedHashMap<String, Tool>();
        var refused = new ArrayList<Tool>();
        Set<String> shared = new LinkedHashSet<>();
        for (Tool tool : tools) {
            Tool other = named.putIfAbsent(tool.modelName(), tool);
            if (other != null) {
                shared.add(tool.modelName());
                refused.add(tool);
            }
        }
        for (String name : shared) {
            Tool first = named.remove(name);
            if (first != null) {
                refused.addFirst(first);
            }
        }
        return new Assigned(named, List.copyOf(refused));
    }

    private static String readable(String tool) {
        var out = new StringBuilder(READABLE);
        for (int i = 0; i < tool.length() && i < READABLE; i++) {
            char c = tool.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                out.append((char) (c + ('a' - 'A')));
            } else {
                out.append((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_');
            }
        }
        return out.toString();
    }
}
