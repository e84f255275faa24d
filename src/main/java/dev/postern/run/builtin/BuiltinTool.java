package dev.postern.run.builtin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// The tools there are, and how a model is told about each.
enum BuiltinTool {
    CLOCK_NOW("clock_now", true, "Tells the time: in UTC, and in the owner's time zone."),
    NOTES_LIST("notes_list", true, "Lists the owner's notes: name, length in characters, last change."),
    NOTES_READ("notes_read", true, "Reads one of the owner's notes."),
    NOTES_WRITE(
            "notes_write",
            false,
            "Writes one of the owner's notes, replacing what it said. Needs the owner's approval.");

    private final String name;
    private final boolean readsOnly;
    private final String description;

    BuiltinTool(String name, boolean readsOnly, String description) {
        this.name = name;
        this.readsOnly = readsOnly;
        this.description = description;
    }

    private void describe(ObjectNode properties) {
        switch (this) {
            case CLOCK_NOW, NOTES_LIST -> {
                // They take nothing.
            }
            case NOTES_READ -> name(properties);
            case NOTES_WRITE -> {
                name(properties);
                properties
                        .putObject("text")
                        .put("type", "string")
                        .put("maxLength", Notes.LONGEST)
                        .put("description", "The whole new text.");
            }
        }
    }

    private static void name(ObjectNode properties) {
        properties
                .putObject("name")
                .put("type", "string")
                .put("pattern", "^[a-z0-9][a-z0-9-]{0,63}$")
                .put("description", "The note's name: lower-case letters, digits and hyphens.");
    }

    String toolName() {
        return name;
    }

    boolean readsOnly() {
        return readsOnly;
    }

    static @Nullable BuiltinTool named(String name) {
        for (var tool : values()) {
            if (tool.name.equals(name)) {
                return tool;
            }
        }
        return null;
    }

    /// As a server would list it.
    ObjectNode definition() {
        var definition = JsonNodeFactory.instance.objectNode().put("name", name).put("description", description);
        var schema = definition.putObject("inputSchema").put("type", "object");
        var all = schema.putObject("properties");
        describe(all);
        var required = schema.putArray("required");
        all.fieldNames().forEachRemaining(required::add);
        schema.put("additionalProperties", false);
        return definition;
    }
}
