package dev.postern.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A place in a schema where a schema is. Confined to the lint that makes it.
final class Position {
    final String pointer;
    final JsonNode node;

    /// 1 at the root.
    final int level;

    /// The schemas that evaluating this one may evaluate, its reference's target apart.
    final List<Position> applied = new ArrayList<>();

    /// Where its `$ref` points, as a pointer into the same schema.
    @Nullable
    String target;

    Position(String pointer, JsonNode node, int level) {
        this.pointer = pointer;
        this.node = node;
        this.level = level;
    }
}
