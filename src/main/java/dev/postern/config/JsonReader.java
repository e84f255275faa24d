package dev.postern.config;

import java.util.ArrayList;

/// Reads strict JSON (RFC 8259) with `//` and `/* */` comments into a [Tree]. Mistakes become findings; the
/// package documentation says which of them end the reading. No finding quotes the text, since what stands at a
/// mistake may be a secret. Used once, on one thread.
final class JsonReader {
    /// As deep as JSON from servers may be (WIR-3), and far deeper than any configuration.
    private static final int DEEPEST = 64;

    private final Findings findings;
    private final Place root;
    private final String text;
    private int at;
    private boolean stopped;

    JsonReader(ConfigText text, Findings findings) {
        this.findings = findings;
        this.root = Place.root(text);
        this.text = text.text();
    }

    /// The whole document. When [#stopped] is true afterwards it is incomplete, and the reason was reported.
    Tree read() {
        skipSpace();
        if (!stopped && at == text.length()) {
            stop(root, at, "there is no JSON here", "a JSON value; the smallest configuration is {}");
        }
        var value = stopped ? new Tree.Broken(at) : value(root, 0);
        skipSpace();
        if (!stopped && at < text.length()) {
            problem(root, at, "there is text after the end of the JSON value", "nothing more but comments");
        }
        return value;
    }

    boolean stopped() {
        return stopped;
    }

    private Tree value(Place place, int depth) {
        int start = at;
        char c = text.charAt(at);
        if (c == '{' || c == '[') {
            if (depth == DEEPEST) {
                stop(place, at, "this is nested deeper than " + DEEPEST + " levels", "fewer levels");
                return new Tree.Broken(start);
            }
            return c == '{' ? object(place, depth + 1) : array(place, depth + 1);
        }
        if (c == '"') {
            int before = findings.count();
            String value = string(place);
            return findings.count() == before ? new Tree.Text(start, value) : new Tree.Broken(start);
        }
        if (c == '-' || (c >= '0' && c <= '9')) {
            return number(place);
        }
        if (JsonForms.isWord(c)) {
            return word(place);
        }
        if (depth > 0 && JsonForms.isEnd(c)) {
            problem(place, at, "a value is missing before this", "a value");
        } else {
            unexpected(place, "a value; text stands in double quotes");
        }
        return new Tree.Broken(start);
    }

    private Tree object(Place place, int depth) {
        var open = new Open(place, at++, '}');
        var members = new ArrayList<Tree.Member>();
        while (more(open)) {
            int start = at;
            String name;
            if (text.charAt(at) == '"') {
                name = string(place);
            } else if (JsonForms.isWord(text.charAt(at))) {
                problem(place, at, "this key is not in double quotes", "a key in double quotes");
                name = bare();
            } else {
                unexpected(place, "a key in double quotes");
                break;
            }
            members.add(new Tree.Member(start, name, valueOf(place.key(name), open, depth)));
        }
        return new Tree.Obj(open.start, members);
    }

    /// What follows a key: a colon and a value.
    private Tree valueOf(Place member, Open open, int depth) {
        skipSpace();
        boolean colon = at < text.length() && text.charAt(at) == ':';
        if (colon) {
            at++;
            skipSpace();
        }
        if (!stopped && at == text.length()) {
            unclosed(open);
        }
        if (stopped) {
            return new Tree.Broken(at);
        }
        if (!colon) {
            problem(member, at, "a colon is missing between the key and its value", "a colon and a value");
            if (JsonForms.isEnd(text.charAt(at))) {
                return new Tree.Broken(at);
            }
        }
        return value(member, depth);
    }

    private Tree array(Place place, int depth) {
        var open = new Open(place, at++, ']');
        var items = new ArrayList<Tree>();
        while (more(open)) {
            items.add(value(place.index(items.size()), depth));
        }
        return new Tree.Arr(open.start, items);
    }

    /// Goes to the next element of an object or array: true when one starts here, false when there are no more.
    private boolean more(Open open) {
        while (true) {
            skipSpace();
            if (stopped) {
                return false;
            }
            if (at == text.length()) {
                unclosed(open);
                return false;
            }
            char c = text.charAt(at);
            if (c == open.close) {
                if (open.comma >= 0) {
                    problem(open.place, open.comma, "there is nothing after this comma", "no comma after the last");
                }
                at++;
                return false;
            }
            if (c == '}' || c == ']') {
                stop(open.place, at, "this bracket does not match the one at " + where(open.start), open.expected());
                return false;
            }
            if (c != ',') {
                if (open.afterElement) {
                    problem(open.place, at, "a comma is missing before this", "a comma or " + open.expected());
                }
                open.afterElement = true;
                open.comma = -1;
                return true;
            }
            if (open.afterElement) {
                open.comma = at;
            } else {
                problem(open.place, at, "there is nothing before this comma", "one comma between two values");
            }
            open.afterElement = false;
            at++;
        }
    }

    private String string(Place place) {
        int start = at++;
        int from = at;
        StringBuilder built = null;
        boolean wide = false;
        while (true) {
            char c = at < text.length() ? text.charAt(at) : '\n';
            if (c == '"') {
                break;
            }
            if (c == '\n' || c == '\r') {
                stop(place, start, "this string does not end on its line", "a closing double quote");
                return "";
            }
            if (c == '\\') {
                built = (built == null ? new StringBuilder() : built).append(text, from, at);
                char escaped = escape(place);
                wide |= Character.isSurrogate(escaped);
                built.append(escaped);
                from = at;
                continue;
            }
            if (c < ' ') {
                problem(place, at, JsonForms.name(c) + " stands in a string as it is", "an escape, such as \\t");
            }
            wide |= Character.isSurrogate(c);
            at++;
        }
        String value = built == null
                ? text.substring(from, at)
                : built.append(text, from, at).toString();
        at++;
        if (wide && JsonForms.hasLoneSurrogate(value)) {
            problem(place, start, "this string holds half of a surrogate pair", "whole characters");
        }
        return value;
    }

    /// Reads one escape, at its backslash.
    private char escape(Place place) {
        int start = at;
        char c = at + 1 < text.length() ? text.charAt(at + 1) : '\n';
        if (c == 'u') {
            int value = 0;
            for (int i = 2; i < 6; i++) {
                int digit = start + i < text.length() ? JsonForms.hex(text.charAt(start + i)) : -1;
                if (digit < 0) {
                    problem(place, start, "this escape is not complete", "\\u and four hexadecimal digits");
                    at = start + i;
                    return '?';
                }
                value = value << 4 | digit;
            }
            at = start + 6;
            return (char) value;
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            problem(place, start, "there is no such escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
            at = start + 1;
            return '?';
        }
        at = start + 2;
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private Tree number(Place place) {
        int start = at;
        String written = bare();
        if (JsonForms.isNumber(written)) {
            return new Tree.Num(start, written);
        }
        problem(place, start, "this is not a number as JSON writes it", "digits without leading zeros, such as 8");
        return new Tree.Broken(start);
    }

    private Tree word(Place place) {
        int start = at;
        return switch (bare()) {
            case "true" -> new Tree.Bool(start, true);
            case "false" -> new Tree.Bool(start, false);
            case "null" -> new Tree.Nil(start);
            default -> {
                problem(
                        place,
                        start,
                        "a bare word is not a value",
                        "true or false in lower case, or text in double quotes");
                yield new Tree.Broken(start);
            }
        };
    }

    /// Reads on to where a bare word or a number can't go on.
    private String bare() {
        int start = at;
        while (at < text.length() && JsonForms.isWord(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private void skipSpace() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                at++;
            } else if (c == '/' && text.startsWith("//", at)) {
                while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
                    at++;
                }
            } else if (c == '/' && text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    stop(root, at, "this comment does not end", "*/ after it");
                    return;
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private void unclosed(Open open) {
        stop(
                open.place,
                at,
                "the text ends before the bracket at " + where(open.start) + " is closed",
                open.expected());
    }

    private void unexpected(Place place, String expected) {
        stop(place, at, JsonForms.name(text.codePointAt(at)) + " can't stand here", expected);
    }

    private void problem(Place place, int where, String message, String expected) {
        findings.problem(place, where, message, expected);
    }

    /// Reports, and ends the reading: nothing after this could be understood for certain.
    private void stop(Place place, int where, String message, String expected) {
        problem(place, where, message, expected);
        stopped = true;
        at = text.length();
    }

    private String where(int offset) {
        var position = root.text().position(offset);
        return "line " + position.line() + ", column " + position.column();
    }

    /// An object or array that is being read.
    private static final class Open {
        final Place place;
        final int start;
        final char close;
        boolean afterElement;
        int comma = -1;

        Open(Place place, int start, char close) {
            this.place = place;
            this.start = start;
            this.close = close;
        }

        String expected() {
            return close == '}' ? "a closing }" : "a closing ]";
        }
    }
}
