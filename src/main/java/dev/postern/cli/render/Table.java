package dev.postern.cli.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows under headings, aligned, and folded where the terminal is too narrow. Confined to one thread.
public final class Table {
    private static final String GAP = "  ";
    /// Narrower than this a column can't be read; a terminal that leaves less gets lines that are too long.
    private static final int NARROWEST = 12;

    /// Longer words may be cut before a table gets too wide.
    private static final int LONGEST_WORD = 30;

    private final String[] headings;
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = headings.clone();
    }

    /// Adds a row with one cell for each heading. A line break in a cell becomes a blank.
    public Table row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + headings.length + " columns");
        }
        var safe = new String[cells.length];
        for (int column = 0; column < cells.length; column++) {
            safe[column] = Untrusted.line(cells[column]);
        }
        rows.add(safe);
        return this;
    }

    /// Writes the table, at most `width` columns wide where that is possible; 0 is any width.
    public void print(Printer printer, int width) {
        int[] widths = fit(width);
        printer.styled(Style.BOLD, lines(headings, widths).getFirst()).end();
        for (var row : rows) {
            for (var line : lines(row, widths)) {
                printer.line(line);
            }
        }
    }

    private int[] fit(int width) {
        var widths = new int[headings.length];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = DisplayWidth.of(headings[column]);
            for (var row : rows) {
                widths[column] = Math.max(widths[column], DisplayWidth.of(row[column]));
            }
        }
        if (width > 0) {
            int over = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - width;
            while (over > 0 && shrinkWidest(widths, true)) {
                over--;
            }
            while (over > 0 && shrinkWidest(widths, false)) {
                over--;
            }
        }
        return widths;
    }

    private boolean shrinkWidest(int[] widths, boolean wholeWords) {
        int widest = -1;
        for (int column = 0; column < widths.length; column++) {
            boolean canShrink = widths[column] > narrowest(column, wholeWords);
            if (canShrink && (widest < 0 || widths[column] >= widths[widest])) {
                widest = column;
            }
        }
        if (widest < 0) {
            return false;
        }
        widths[widest]--;
        return true;
    }

    private int narrowest(int column, boolean wholeWords) {
        int narrowest = Math.max(NARROWEST, DisplayWidth.of(headings[column]));
        if (wholeWords) {
            for (var row : rows) {
                for (var word : row[column].split(" ", -1)) {
                    narrowest = Math.max(narrowest, Math.min(LONGEST_WORD, DisplayWidth.of(word)));
                }
            }
        }
        return narrowest;
    }

    private static List<String> lines(String[] cells, int[] widths) {
        var folded = new ArrayList<List<String>>();
        int height = 1;
        for (int column = 0; column < cells.length; column++) {
            var lines = Folding.fold(cells[column], widths[column]);
            folded.add(lines);
            height = Math.max(height, lines.size());
        }
        var result = new ArrayList<String>();
        for (int line = 0; line < height; line++) {
            var text = new StringBuilder();
            for (int column = 0; column < cells.length; column++) {
                var part = line < folded.get(column).size() ? folded.get(column).get(line) : "";
                text.append(part);
                if (column < cells.length - 1) {
                    text.append(" ".repeat(Math.max(0, widths[column] - DisplayWidth.of(part))))
                            .append(GAP);
                }
            }
            result.add(text.toString().stripTrailing());
        }
        return result;
    }
}
