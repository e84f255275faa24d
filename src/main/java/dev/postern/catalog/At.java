package dev.postern.catalog;

import org.jspecify.annotations.Nullable;

/// A place in an instance; its pointer is only written out for a violation.
record At(@Nullable At parent, String name, int index) {
    static final At ROOT = new At(null, "", -1);

    private static final int MAX_POINTER = 1_000;

    At child(String name) {
        return new At(this, name, -1);
    }

    At child(int index) {
        return new At(this, "", index);
    }

    /// A JSON pointer, redacted, and cut at 1,000 characters with `…` at its end: an argument's name may be
    /// 64 KiB long.
    String pointer(Quoting quoting) {
        var out = new StringBuilder();
        write(out, quoting);
        return quoting.cut(out.toString(), MAX_POINTER);
    }

    private void write(StringBuilder out, Quoting quoting) {
        if (parent != null) {
            parent.write(out, quoting);
            out.append('/');
            if (index >= 0) {
                out.append(index);
            } else {
                out.append(quoting.name(name));
            }
        }
    }
}
