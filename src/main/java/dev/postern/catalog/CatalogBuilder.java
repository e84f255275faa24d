package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limit;
import dev.postern.base.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Makes a [Catalog] of what a server listed: allowed tools are checked one by one, so that an unfit one is
/// excluded alone (CAT-3); others are not looked into.
public final class CatalogBuilder {
    private static final int MAX_NAME = 128;
    private static final String INPUT = "inputSchema";
    private static final String OUTPUT = "outputSchema";

    private final String server;
    private final Limits limits;
    private final boolean remote;
    private final Quoting quoting;

    /// A builder of catalogs for one server.
    ///
    /// @param remote whether the server is reached over HTTP, where arguments may have to be repeated as
    ///     headers
    /// @param redact replaces every secret that the server was given: its own words appear in reasons and in
    ///     violations
    public CatalogBuilder(String server, Limits limits, boolean remote, UnaryOperator<String> redact) {
        this.server = server;
        this.limits = limits;
        this.remote = remote;
        this.quoting = new Quoting(redact);
    }

    /// The catalog of what the server listed.
    ///
    /// @param definitions as [Discovery] collected them: each with a text `name`, all different; not changed by
    ///     anyone afterwards
    /// @param allowed the exact names of the allow list
    public Catalog build(List<ObjectNode> definitions, Collection<String> allowed) {
        Set<String> missing = new LinkedHashSet<>(allowed);
        var wanted = new HashSet<>(missing);
        var fit = new ArrayList<Tool>();
        var unfit = new HashMap<String, Excluded>();
        var listed = new ArrayList<Catalog.Listed>();
        for (ObjectNode definition : definitions) {
            String name = definition.path("name").asText();
            listed.add(new Catalog.Listed(name, definition.path("description").asText("")));
            missing.remove(name);
            if (wanted.contains(name)) {
                Excluded reason = examine(name, definition);
                if (reason == null) {
                    fit.add(tool(name, definition));
                } else {
                    unfit.put(name, reason);
                }
            }
        }
        ModelNames.Assigned named = ModelNames.assign(fit);
        for (Tool tool : named.refused()) {
            unfit.put(tool.name(), sharedName(tool));
        }
        var excluded = new ArrayList<Excluded>();
        for (Catalog.Listed one : listed) {
            Excluded reason = unfit.get(one.name());
            if (reason != null) {
                excluded.add(reason);
            }
        }
        return new Catalog(server, List.copyOf(named.tools().values()), excluded, List.copyOf(missing), listed);
    }

    private static Excluded sharedName(Tool tool) {
        return unfit(
                tool.name(),
                ExclusionCode.TOOL_MODEL_NAME,
                "A model would see it and another tool of the server under one name, " + tool.modelName() + ".");
    }

    /// Why the tool is not to be offered, or null.
    private @Nullable Excluded examine(String name, ObjectNode definition) {
        Excluded unfit = outside(name, definition);
        if (unfit != null) {
            return unfit;
        }
        var lint = new SchemaLint(limits, quoting);
        JsonNode input = definition.get(INPUT);
        Fault fault = lint.input(input);
        if (fault == null && remote && input != null) {
            fault = ParameterHeaders.check(input, quoting);
        }
        if (fault != null) {
            return unfit(name, fault.code(), "Its input schema " + fault.reason() + ".");
        }
        JsonNode output = present(definition.get(OUTPUT));
        fault = output == null ? null : lint.output(output);
        return fault == null ? null : unfit(name, fault.code(), "Its output schema " + fault.reason() + ".");
    }

    /// The offered tool.
    ///
    /// @param definition has passed [#examine]
    private Tool tool(String name, ObjectNode definition) {
        JsonNode output = present(definition.get(OUTPUT));
        return new Tool(
                server,
                name,
                definition.path("description").asText(""),
                definition,
                new LazySchema(definition.path(INPUT), quoting),
                output == null ? null : new LazySchema(output, quoting),
                Digest.of(definition));
    }

    /// Everything but the schemas.
    private @Nullable Excluded outside(String name, ObjectNode definition) {
        if (!validName(name)) {
            return unfit(
                    name,
                    ExclusionCode.TOOL_NAME,
                    "Its name is not 1 to " + MAX_NAME + " of the characters A-Z, a-z, 0-9, _, . and -.");
        }
        Measure measure = Measure.of(definition);
        if (measure.fault() != null) {
            return unfit(name, ExclusionCode.TOOL_DEFINITION, "Its definition " + measure.fault() + ".");
        }
        JsonNode description = present(definition.get("description"));
        if (description != null && !description.isTextual()) {
            return unfit(name, ExclusionCode.TOOL_DESCRIPTION, "Its description is no text.");
        }
        int characters = description == null ? 0 : codePoints(description.textValue());
        int most = limits.get(Limit.DESCRIPTION_CHARS);
        if (characters > most) {
            return unfit(
                    name,
                    ExclusionCode.TOOL_DESCRIPTION,
                    "Its description has " + characters + " characters, over the limit of " + most + " ("
                            + Limit.DESCRIPTION_CHARS.key() + ").");
        }
        if (definition.path("execution").path("taskSupport").asText().equals("required")) {
            return unfit(
                    name,
                    ExclusionCode.TOOL_TASK,
                    "It can only be called as a task (execution.taskSupport is \"required\"), which is not supported.");
        }
        return null;
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private static boolean validName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (!alphanumeric && c != '_' && c != '.' && c != '-') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_NAME;
    }

    /// `null` is what some serialisers write for what is absent.
    private static @Nullable JsonNode present(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }

    private static Excluded unfit(String name, ExclusionCode code, String sentence) {
        return new Excluded(name, code.code(), sentence);
    }
}
