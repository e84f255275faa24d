package dev.postern.cli.render;

import java.util.ArrayList;
import java.util.List;

/// Breaks text into lines of at most a number of columns: between words where it can, inside a word that is too
/// long.
public final class Folding {
    private Folding() {}

    /// At least one line. `width` 0 is any width.
    public static List<String> fold(String text, int width) {
        var lines = new ArrayList<String>();
        var rest = text;
        while (width > 0 && DisplayWidth.of(rest) > width) {
            int cut = cut(rest, width);
            lines.add(rest.substring(0, cut).stripTrailing());
            rest = rest.substring(cut).stripLeading();
        }
        if (lines.isEmpty() || !rest.isEmpty()) {
            lines.add(rest);
        }
        return lines;
    }

    private static int cut(String text, int width) {
        int taken = 0;
        int at = 0;
        int lastBlank = -1;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            int columns = DisplayWidth.of(codePoint);
            if (codePoint == ' ' && at > 0) {
                lastBlank = at;
            }
            if (taken + columns > width) {
                break;
            }
            taken += columns;
            at += Character.charCount(codePoint);
        }
        if (lastBlank > 0 && !text.substring(0, lastBlank).isBlank()) {
            return lastBlank;
        }
        return at > 0 ? at : Character.charCount(text.codePointAt(0));
    }
}
