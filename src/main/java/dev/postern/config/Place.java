package dev.postern.config;

import org.jspecify.annotations.Nullable;

/// A value's place in its document: the keys and indexes that lead to it, innermost last.
record Place(ConfigText text, @Nullable Place parent, String token) {
    static Place root(ConfigText text) {
        return new Place(text, null, "");
    }

    Place key(String name) {
        return new Place(text, this, name);
    }

    Place index(int index) {
        return new Place(text, this, Integer.toString(index));
    }
}
