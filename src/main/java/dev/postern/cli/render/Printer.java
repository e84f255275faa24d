package dev.postern.cli.render;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One output stream of a command, in UTF-8, whatever the locale. Safe for use by many threads.
///
/// A reader that went away is no fault (CLI-6): what comes after is dropped. Any other failure, such as a full
/// disk, is kept for [#failure()], and what comes after is dropped too.
public final class Printer {
    private static final int BUFFER = 8_192;

    private final OutputStream stream;
    private final boolean coloured;
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private boolean gone;
    private @Nullable String failure;

    Printer(OutputStream stream, boolean coloured) {
        this.stream = stream;
        this.coloured = coloured;
    }

    /// Writes `text`, made safe, and a line feed.
    public Printer line(String text) {
        return text(text).end();
    }

    /// Writes `text`, made safe; its line feeds and tabs are kept.
    public Printer text(String text) {
        raw(Untrusted.text(text));
        return this;
    }

    /// Writes `text`, made safe, in a style where the stream is a terminal that wants one.
    public Printer styled(Style style, String text) {
        var safe = Untrusted.text(text);
        raw(coloured && style != Style.PLAIN ? style.start() + safe + Style.END : safe);
        return this;
    }

    /// Ends the line.
    public Printer end() {
        raw("\n");
        return this;
    }

    /// Writes `text` as it is.
    synchronized void raw(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int from = 0;
        while (from < bytes.length && !gone) {
            int part = Math.min(bytes.length - from, BUFFER - filled);
            System.arraycopy(bytes, from, buffer, filled, part);
            filled += part;
            from += part;
            if (filled == BUFFER) {
                drain();
            }
        }
    }

    /// Returns when everything written so far has left this process, or can't.
    public synchronized void flush() {
        drain();
        try {
            if (!gone) {
                stream.flush();
                noticeHiddenFailure();
            }
        } catch (IOException e) {
            lost(e);
        }
    }

    /// Why output was lost, or null when it was not; a reader that went away is not a reason.
    public synchronized @Nullable String failure() {
        return failure;
    }

    /// Whether what is written now is dropped, for whatever reason.
    public synchronized boolean broken() {
        return gone;
    }

    private void drain() {
        int length = filled;
        filled = 0;
        if (length == 0 || gone) {
            return;
        }
        try {
            stream.write(buffer, 0, length);
            noticeHiddenFailure();
        } catch (IOException e) {
            lost(e);
        }
    }

    private void noticeHiddenFailure() {
        if (stream instanceof PrintStream hiding && hiding.checkError()) {
            gone = true;
        }
    }

    private void lost(IOException e) {
        gone = true;
        var message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        var lower = message.toLowerCase(Locale.ROOT);
        boolean readerWent = lower.contains("broken pipe")
                || lower.contains("pipe closed")
                || lower.contains("connection reset")
                || lower.contains("stream closed");
        if (!readerWent) {
            failure = message;
        }
    }
}
