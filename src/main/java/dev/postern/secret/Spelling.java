package dev.postern.secret;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A way of writing characters by escapes, read back leniently: whatever a usual encoder may write is understood,
/// in any mixture of escaped and plain characters, and what is no escape stands for itself. So there is no need
/// to guess which characters an encoder escapes.
abstract class Spelling {
    /// The spellings that matter for secrets.
    ///
    /// @param withBlanks some secret has a blank inside, which forms write as `+`
    static List<Spelling> all(boolean withBlanks) {
        var all = new ArrayList<Spelling>(
                List.of(new BackslashSpelling(), new PercentSpelling(false), new HtmlSpelling()));
        if (withBlanks) {
            all.add(new PercentSpelling(true));
        }
        return all;
    }

    /// What `source` says in this spelling, or null when there is no escape in it.
    final @Nullable View decode(View source) {
        if ((source.specials() & leads()) == 0) {
            return null;
        }
        var out = View.decoding(source.length());
        boolean changed = false;
        for (int i = 0; i < source.length(); ) {
            int used = isLead(source.unit(i)) ? escape(source, i, out) : 0;
            if (used == 0) {
                out.copy(source, i);
                used = 1;
            } else {
                changed = true;
            }
            i += used;
        }
        return changed ? out : null;
    }

    /// The bits of [View#specials] for the units that an escape can start with.
    abstract int leads();

    /// An escape can start with `unit`.
    abstract boolean isLead(char unit);

    /// Adds to `out` what the escape at `index` stands for.
    ///
    /// @return how many units of `source` it takes, 0 when there is no escape
    abstract int escape(View source, int index, View out);

    /// The number that `count` hexadecimal digits from `index` on say, or -1.
    static int hex(View source, int index, int count) {
        if (index + count > source.length()) {
            return -1;
        }
        int value = 0;
        for (int i = index; i < index + count; i++) {
            int digit = hexDigit(source.unit(i));
            if (digit < 0 || value > Character.MAX_CODE_POINT) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    static int hexDigit(char unit) {
        if (unit >= '0' && unit <= '9') {
            return unit - '0';
        }
        int lower = unit | 0x20;
        return lower >= 'a' && lower <= 'f' && unit < 0x80 ? lower - 'a' + 10 : -1;
    }

    /// Adds the character whose UTF-8 bytes are written at `index` as escapes of a lead of `lead` units and two
    /// hexadecimal digits each. A byte that starts no valid character stands for the character of ISO 8859-1.
    ///
    /// @param lead the units before the digits, such as 1 for `%41`
    int byteEscapes(View source, int index, int lead, View out) {
        int size = lead + 2;
        int first = hex(source, index + lead, 2);
        if (first < 0) {
            return 0;
        }
        int more = first >= 0xF0 && first < 0xF8 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
        int codePoint = first & (0x3F >> more);
        for (int i = 1; more > 0 && i <= more; i++) {
            int at = index + i * size;
            int next = isByteEscape(source, at) ? hex(source, at + lead, 2) : -1;
            if ((next & 0xC0) != 0x80 || next < 0) {
                more = 0;
            } else {
                codePoint = codePoint << 6 | (next & 0x3F);
            }
        }
        if (more == 0 || first >= 0xF8 || codePoint > Character.MAX_CODE_POINT) {
            out.decoded(first, source, index, index + size);
            return size;
        }
        int used = (more + 1) * size;
        out.decoded(codePoint, source, index, index + used);
        return used;
    }

    boolean isByteEscape(View source, int index) {
        return false;
    }
}
