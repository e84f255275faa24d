package dev.postern.cli.render;

import dev.postern.base.Threads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One line on a terminal that says what is being waited for (CLI-4). Appears after 300 ms, so that quick
/// commands stay quiet, and is wiped when closed. Its thread ends before [#close()] returns.
public final class Progress implements AutoCloseable {
    private static final int QUIET_MILLIS = 300;
    private static final int FRAME_MILLIS = 100;
    private static final String FRAMES = "|/-\\";

    private final CountDownLatch over = new CountDownLatch(1);
    private final @Nullable Thread thread;

    private Progress(@Nullable Printer printer, String doing) {
        this.thread = printer == null ? null : Threads.platform("progress", () -> show(printer, doing));
    }

    static Progress start(@Nullable Printer printer, String doing) {
        return new Progress(printer, doing);
    }

    private void show(Printer printer, String doing) {
        try {
            if (over.await(QUIET_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
            var safe = Untrusted.line(doing);
            int width = 0;
            int elapsed = QUIET_MILLIS;
            for (int frame = 0; ; frame++) {
                var line = FRAMES.charAt(frame % FRAMES.length()) + " " + safe + " " + elapsed / 1_000 + " s";
                width = Math.max(width, DisplayWidth.of(line));
                printer.raw("\r" + line);
                printer.flush();
                if (over.await(FRAME_MILLIS, TimeUnit.MILLISECONDS)) {
                    break;
                }
                elapsed += FRAME_MILLIS;
            }
            printer.raw("\r" + " ".repeat(width) + "\r");
            printer.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        if (thread == null) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
