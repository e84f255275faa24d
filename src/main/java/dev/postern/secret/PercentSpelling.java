package dev.postern.secret;

/// Percent-encoding of URLs and forms (RFC 3986 section 2.1), over UTF-8 with ISO 8859-1 as the fallback, and
/// JavaScript's old `%u20AC`.
final class PercentSpelling extends Spelling {
    private final boolean plusIsBlank;

    /// @param plusIsBlank as in forms; elsewhere a plus stands for itself
    PercentSpelling(boolean plusIsBlank) {
        this.plusIsBlank = plusIsBlank;
    }

    @Override
    int leads() {
        return plusIsBlank ? View.PERCENT | View.PLUS : View.PERCENT;
    }

    @Override
    boolean isLead(char unit) {
        return unit == '%' || (plusIsBlank && unit == '+');
    }

    @Override
    int escape(View source, int index, View out) {
        if (source.unit(index) == '+') {
            out.decoded(' ', source, index, index + 1);
            return 1;
        }
        if (index + 1 < source.length() && (source.unit(index + 1) | 0x20) == 'u') {
            int unit = hex(source, index + 2, 4);
            if (unit >= 0) {
                out.decoded(unit, source, index, index + 6);
                return 6;
            }
            return 0;
        }
        return byteEscapes(source, index, 1, out);
    }

    @Override
    boolean isByteEscape(View source, int index) {
        return index < source.length() && source.unit(index) == '%';
    }
}
