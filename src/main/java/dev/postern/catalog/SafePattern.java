package dev.postern.catalog;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A regular expression of a schema, matched by RE2 in time linear in the text, whatever it is.
///
/// Compiling is not linear: `((a{1000}){1000}){1000}` stands for a milliard instructions, and five thousand
/// parentheses overflow the stack. So a pattern's size is estimated from its text first. Case-insensitive
/// matching (`(?i)`) is accepted for ASCII patterns only: RE2/J 1.8 never returns from some ranges beyond it,
/// such as `(?i)[\x{50}-\x{3200}]`.
final class SafePattern {
    /// Real patterns have programs of about 20 instructions, length checks such as `^.{1,1000}$` 2,000.
    static final int MAX_PROGRAM = 4_096;

    private static final int MAX_GROUPS = 64;

    private final Pattern pattern;

    private SafePattern(Pattern pattern) {
        this.pattern = pattern;
    }

    sealed interface Compiled {
        record Ready(SafePattern pattern) implements Compiled {}

        /// Not to be used.
        ///
        /// @param reason a clause such as `RE2 can't compile it: …`
        record Refused(String reason) implements Compiled {}
    }

    static Compiled compile(String text) {
        String refusal = new Estimate(text).refusal();
        if (refusal != null) {
            return new Compiled.Refused(refusal);
        }
        try {
            Pattern pattern = Pattern.compile(text);
            if (pattern.programSize() > MAX_PROGRAM) {
                return new Compiled.Refused(tooLarge(pattern.programSize()));
            }
            return new Compiled.Ready(new SafePattern(pattern));
        } catch (PatternSyntaxException e) {
            return new Compiled.Refused("RE2 can't compile it: " + e.getDescription());
        }
    }

    private static String tooLarge(long size) {
        return "it compiles to about " + size + " instructions, over the fixed limit of " + MAX_PROGRAM;
    }

    /// Whether it matches anywhere in `text`, as JSON Schema wants.
    boolean foundIn(String text) {
        return pattern.matcher(text).find();
    }

    /// An upper bound of the instructions executed for one character.
    int size() {
        return pattern.programSize();
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }

    /// Reads a pattern once and adds up what it will compile to. Never below RE2's own size for a pattern that
    /// RE2 accepts; what it misreads, RE2 refuses.
    private static final class Estimate {
        private static final long HUGE = 1L << 40;

        private final String text;
        private final long[] sizes = new long[MAX_GROUPS + 1];
        private int depth;
        private int at;
        private long atom;
        private boolean tooDeep;

        Estimate(String text) {
            this.text = text;
        }

        @Nullable
        String refusal() {
            if (text.contains("(?") && ignoresCase() && !asciiOnly()) {
                return "it ignores case beyond ASCII letters, which is not supported";
            }
            while (at < text.length() && !tooDeep) {
                step();
            }
            if (tooDeep) {
                return "its groups nest deeper than " + MAX_GROUPS;
            }
            long total = 0;
            for (int i = 0; i <= depth; i++) {
                total += sizes[i];
            }
            // Twice: optional repetitions cost two instructions each.
            return total > 2L * MAX_PROGRAM ? tooLarge(total) : null;
        }

        private void step() {
            char c = text.charAt(at++);
            switch (c) {
                case '(' -> open();
                case ')' -> close();
                case '[' -> {
                    characterClass();
                    single();
                }
                case '\\' -> escape();
                case '{' -> repeat();
                case '*', '+', '?', '|' -> add(1);
                default -> single();
            }
        }

        private void single() {
            atom = 1;
            add(1);
        }

        private void add(long size) {
            sizes[depth] = Math.min(HUGE, sizes[depth] + size);
        }

        private void open() {
            if (depth == MAX_GROUPS) {
                tooDeep = true;
                return;
            }
            sizes[++depth] = 2;
        }

        private void close() {
            if (depth > 0) {
                atom = sizes[depth--];
                add(atom);
            }
        }

        private void escape() {
            if (at < text.length() && text.charAt(at) == 'Q') {
                int end = text.indexOf("\\E", at);
                int stop = end < 0 ? text.length() : end;
                add(stop - at);
                atom = 1;
                at = end < 0 ? stop : stop + 2;
                return;
            }
            boolean braced =
                    at + 1 < text.length() && "xpP".indexOf(text.charAt(at)) >= 0 && text.charAt(at + 1) == '{';
            int end = braced ? text.indexOf('}', at) : at;
            at = end < 0 ? text.length() : end + 1;
            single();
        }

        /// Just behind `[`. A `]` right at the start is a member of the class.
        private void characterClass() {
            if (at < text.length() && text.charAt(at) == '^') {
                at++;
            }
            if (at < text.length() && text.charAt(at) == ']') {
                at++;
            }
            while (at < text.length() && text.charAt(at) != ']') {
                if (text.charAt(at) == '\\') {
                    at++;
                } else if (text.startsWith("[:", at)) {
                    int end = text.indexOf(":]", at + 2);
                    at = end < 0 ? at : end + 1;
                }
                at++;
            }
            at++;
        }

        /// Just behind `{`: multiplies the last atom if this is a repetition, else it is a literal brace.
        private void repeat() {
            int end = text.indexOf('}', at);
            String bounds = end < 0 ? "" : text.substring(at, end);
            int comma = bounds.indexOf(',');
            long least = number(comma < 0 ? bounds : bounds.substring(0, comma));
            long most = comma < 0 || comma + 1 == bounds.length() ? least : number(bounds.substring(comma + 1));
            if (least < 0 || most < 0) {
                single();
                return;
            }
            at = end + 1;
            long times = Math.max(1, Math.max(least, most));
            long grown = Math.min(HUGE, (atom + (most > least ? 1 : 0)) * times + 1);
            add(grown - atom);
            atom = grown;
        }

        private static long number(String digits) {
            if (digits.isEmpty() || digits.length() > 6) {
                return -1;
            }
            long value = 0;
            for (int i = 0; i < digits.length(); i++) {
                char c = digits.charAt(i);
                if (c < '0' || c > '9') {
                    return -1;
                }
                value = value * 10 + (c - '0');
            }
            return value;
        }

        /// Any group that sets flags, such as `(?i)`, `(?i:` or `(?s-i:`, is taken as ignoring case if it
        /// names `i`.
        private boolean ignoresCase() {
            for (int i = text.indexOf("(?"); i >= 0; i = text.indexOf("(?", i + 2)) {
                for (int j = i + 2; j < text.length() && "imsU-".indexOf(text.charAt(j)) >= 0; j++) {
                    if (text.charAt(j) == 'i') {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean asciiOnly() {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) > 0x7E) {
                    return false;
                }
            }
            for (String beyond :
                    new String[] {"\\x", "\\p", "\\P", "\\0", "\\1", "\\2", "\\3", "\\4", "\\5", "\\6", "\\7"}) {
                if (text.contains(beyond)) {
                    return false;
                }
            }
            return true;
        }
    }
}
