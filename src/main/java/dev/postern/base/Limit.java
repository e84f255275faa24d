package dev.postern.base;

/// A number that bounds something a peer or a configuration may be tempted to make large (LIM-1, LIM-2).
/// Characters are code points, nodes are JSON values, schema bytes those of its compact UTF-8.
public enum Limit {
    SERVERS("servers", 8, 64),
    PAGES("pages", 8, 64),
    TOOLS("tools", 128, 2_048),
    DISCOVERY_BYTES("discoveryBytes", 262_144, 8 << 20),
    FRAME_BYTES("frameBytes", 262_144, 16 << 20),
    DESCRIPTION_CHARS("descriptionChars", 4_096, 65_536),
    SCHEMA_BYTES("schemaBytes", 16_384, 262_144),
    SCHEMA_DEPTH("schemaDepth", 16, 32),
    SCHEMA_NODES("schemaNodes", 512, 8_192),
    ARGUMENT_BYTES("argumentBytes", 65_536, 1 << 20),
    RESULT_BYTES("resultBytes", 32_768, 1 << 20);

    private final String name;
    private final int standard;
    private final int ceiling;

    Limit(String name, int standard, int ceiling) {
        this.name = name;
        this.standard = standard;
        this.ceiling = ceiling;
    }

    /// The last part of its key: `frameBytes`.
    public String shortName() {
        return name;
    }

    /// Its key in `config.json`: `limits.frameBytes`.
    public String key() {
        return "limits." + name;
    }

    /// The value in force when nobody says otherwise.
    public int standard() {
        return standard;
    }

    /// The most that a user may configure.
    public int ceiling() {
        return ceiling;
    }
}
