package dev.postern.secret;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTML and XML character references: decimal, hexadecimal, and the names of ASCII punctuation and of the
/// Latin-1 letters and signs.
final class HtmlSpelling extends Spelling {
    private static final int LONGEST_NAME = 20;

    @Override
    int leads() {
        return View.AMPERSAND;
    }

    @Override
    boolean isLead(char unit) {
        return unit == '&';
    }

    @Override
    int escape(View source, int index, View out) {
        int end = index + 1;
        while (end < source.length() && end - index <= LONGEST_NAME && source.unit(end) != ';') {
            end++;
        }
        if (end >= source.length() || source.unit(end) != ';') {
            return 0;
        }
        int codePoint = source.unit(index + 1) == '#' ? number(source, index + 2, end) : named(source, index + 1, end);
        if (codePoint < 0) {
            return 0;
        }
        out.decoded(codePoint, source, index, end + 1);
        return end + 1 - index;
    }

    private static int number(View source, int from, int end) {
        boolean hexadecimal = from < end && (source.unit(from) | 0x20) == 'x';
        int radix = hexadecimal ? 16 : 10;
        int start = hexadecimal ? from + 1 : from;
        int value = start < end ? 0 : -1;
        for (int i = start; i < end && value >= 0; i++) {
            int digit = hexDigit(source.unit(i));
            value = digit < 0 || digit >= radix ? -1 : value * radix + digit;
            if (value > Character.MAX_CODE_POINT) {
                return -1;
            }
        }
        return value;
    }

    private static int named(View source, int from, int end) {
        var name = new StringBuilder(end - from);
        for (int i = from; i < end; i++) {
            name.append(source.unit(i));
        }
        @Nullable Integer codePoint = Names.ALL.get(name.toString());
        return codePoint == null ? -1 : codePoint;
    }

    /// The names of the HTML standard (section 13.5) that an encoder may use for what a secret can hold.
    private static final class Names {
        private static final String LATIN =
                "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2"
                        + " sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave"
                        + " Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc"
                        + " Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml"
                        + " Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc"
                        + " euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash"
                        + " ugrave uacute ucirc uuml yacute thorn yuml";
        private static final String PUNCTUATION =
                "&amp <lt >gt \"quot 'apos !excl #num $dollar %percnt (lpar )rpar *ast *midast +plus ,comma"
                        + " -hyphen .period /sol :colon ;semi =equals ?quest @commat [lsqb [lbrack \\bsol ]rsqb"
                        + " ]rbrack ^Hat _lowbar `grave `DiacriticalGrave {lcub {lbrace |vert |verbar |VerticalLine"
                        + " }rcub }rbrace &AMP <LT >GT \"QUOT";

        static final Map<String, Integer> ALL = all();

        private static Map<String, Integer> all() {
            var all = new HashMap<String, Integer>();
            int codePoint = 0xA0;
            for (var name : LATIN.split(" ", -1)) {
                all.put(name, codePoint++);
            }
            for (var entry : PUNCTUATION.split(" ", -1)) {
                all.put(entry.substring(1), (int) entry.charAt(0));
            }
            all.put("Tab", (int) '\t');
            all.put("NewLine", (int) '\n');
            return all;
        }
    }
}
