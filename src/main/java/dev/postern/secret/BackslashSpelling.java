package dev.postern.secret;

/// JSON's escapes and those of its relatives (JavaScript, Python, shells): a backslash and then `"`, `/`, `n` and
/// the like, `u0041`, `u{1F511}`, `U0001F511` or `x41`. Before any other character it stands for that character.
final class BackslashSpelling extends Spelling {
    @Override
    int leads() {
        return View.BACKSLASH;
    }

    @Override
    boolean isLead(char unit) {
        return unit == '\\';
    }

    @Override
    int escape(View source, int index, View out) {
        if (index + 1 >= source.length()) {
            return 0;
        }
        char kind = source.unit(index + 1);
        int used = switch (kind) {
            case 'u' -> unicode(source, index, out);
            case 'U' -> codePoint(source, index, 2, 8, 0, out);
            case 'x' -> byteEscapes(source, index, 2, out);
            default -> 0;
        };
        if (used == 0) {
            out.decoded(control(kind), source, index, index + 2);
            return 2;
        }
        return used;
    }

    @Override
    boolean isByteEscape(View source, int index) {
        return index + 1 < source.length() && source.unit(index) == '\\' && source.unit(index + 1) == 'x';
    }

    private static int unicode(View source, int index, View out) {
        if (index + 2 < source.length() && source.unit(index + 2) == '{') {
            int digits = 0;
            while (digits < 8
                    && index + 3 + digits < source.length()
                    && hexDigit(source.unit(index + 3 + digits)) >= 0) {
                digits++;
            }
            int close = index + 3 + digits;
            boolean closed = digits > 0 && close < source.length() && source.unit(close) == '}';
            return closed ? codePoint(source, index, 3, digits, 1, out) : 0;
        }
        return codePoint(source, index, 2, 4, 0, out);
    }

    private static int codePoint(View source, int index, int lead, int digits, int tail, View out) {
        int value = hex(source, index + lead, digits);
        if (value < 0 || value > Character.MAX_CODE_POINT) {
            return 0;
        }
        int used = lead + digits + tail;
        out.decoded(value, source, index, index + used);
        return used;
    }

    private static int control(char kind) {
        return switch (kind) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'f' -> '\f';
            case 'b' -> '\b';
            default -> kind;
        };
    }
}
