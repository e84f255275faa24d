package dev.postern.cli.render;

/// The few looks that text may have on a terminal.
public enum Style {
    PLAIN(""),
    BOLD("\u001b[1m"),
    DIM("\u001b[2m"),
    GOOD("\u001b[32m"),
    WARN("\u001b[33m"),
    BAD("\u001b[31m");

    static final String END = "\u001b[0m";

    private final String start;

    Style(String start) {
        this.start = start;
    }

    String start() {
        return start;
    }
}
