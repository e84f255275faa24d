package dev.postern.catalog;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/// Which properties and items of one instance some schema has looked at: the annotations that
/// `unevaluatedProperties` and `unevaluatedItems` are defined by (JSON Schema 2020-12, core, section 11).
final class Evaluated {
    private final Set<String> properties = new HashSet<>();
    private final BitSet items = new BitSet();

    void property(String name) {
        properties.add(name);
    }

    void item(int index) {
        items.set(index);
    }

    void items(int count) {
        items.set(0, count);
    }

    boolean hasProperty(String name) {
        return properties.contains(name);
    }

    boolean hasItem(int index) {
        return items.get(index);
    }

    int size() {
        return properties.size() + items.cardinality();
    }

    void addAll(Evaluated other) {
        properties.addAll(other.properties);
        items.or(other.items);
    }
}
