package dev.postern.wire;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Turns the bytes of a peer into messages (WIR-2). Frames end at 0x0A and are capped before anything looks
/// at them, so an endless line costs less than twice the frame limit, and that only while it lasts. See the
/// package for what becomes of malformed lines.
///
/// Bytes are fed by one thread; the settings and the counts may be used by any.
public final class FrameDecoder {
    /// Lines of noise tolerated before the handshake ends: launchers such as `npx` and frameworks print
    /// banners.
    public static final int NOISE_BEFORE_HANDSHAKE = 64;

    /// Lines of noise tolerated after it, when only a stray `print` explains them.
    public static final int NOISE_AFTER_HANDSHAKE = 16;

    /// A larger buffer is given back once its line is done.
    private static final int KEPT_BYTES = 16_384;

    private static final byte[] EMPTY = {};

    private final String peer;
    private final Sink sink;
    private volatile Cap cap;
    private byte[] line = EMPTY;
    private int length;
    private @Nullable Problem verdict;

    private final Object lock = new Object();
    private boolean handshakeDone;
    private int tolerated;
    private long noiseLines;
    private long noiseBytes;

    /// @param peer how messages call the other side, at the start of a sentence: `The server`
    /// @param frameLimit the largest line accepted, in bytes without its line feed
    public FrameDecoder(String peer, int frameLimit, Sink sink) {
        this.peer = peer;
        this.cap = new Cap(frameLimit, Limit.FRAME_BYTES);
        this.sink = sink;
    }

    private record Cap(int bytes, Limit key) {}

    /// Told each message, in order, on the thread that feeds.
    public interface Sink {
        void message(Message message);
    }

    /// What was thrown away so far: lines, and their bytes in all.
    public record Noise(long lines, long bytes) {}

    /// Takes the next bytes, which are not kept, and delivers the messages that they complete.
    ///
    /// @return null to go on, or why the connection must be closed; then every later call returns the same
    ///     and delivers nothing
    public @Nullable Problem feed(byte[] chunk, int offset, int count) {
        int from = offset;
        int end = offset + count;
        while (verdict == null && from < end) {
            int feed = lineFeed(chunk, from, end);
            int to = feed < 0 ? end : feed;
            Cap limit = cap;
            if ((long) length + (to - from) > limit.bytes) {
                verdict = tooLarge((long) length + (to - from), feed >= 0, limit);
                line = EMPTY;
                break;
            }
            if (feed < 0) {
                keep(chunk, from, end, limit.bytes);
                break;
            }
            if (length == 0) {
                verdict = frame(chunk, from, to);
            } else {
                keep(chunk, from, to, limit.bytes);
                int whole = length;
                length = 0;
                verdict = frame(line, 0, whole);
                if (line.length > KEPT_BYTES) {
                    line = EMPTY;
                }
            }
            from = to + 1;
        }
        return verdict;
    }

    /// The largest line accepted from now on, in bytes without its line feed. A line that is already longer
    /// is refused with its next byte.
    ///
    /// @param key the setting that the refusal names
    public void frameLimit(int bytes, Limit key) {
        cap = new Cap(bytes, key);
    }

    /// From now on the smaller allowance for noise applies, counted afresh.
    public void handshakeDone() {
        synchronized (lock) {
            if (!handshakeDone) {
                handshakeDone = true;
                tolerated = 0;
            }
        }
    }

    public Noise noise() {
        synchronized (lock) {
            return new Noise(noiseLines, noiseBytes);
        }
    }

    /// How many bytes the decoder holds on to.
    int held() {
        return line.length;
    }

    private static int lineFeed(byte[] chunk, int from, int end) {
        for (int i = from; i < end; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void keep(byte[] chunk, int from, int to, int limit) {
        int needed = length + (to - from);
        if (needed > line.length) {
            long doubled = Math.max(needed, 2L * line.length);
            line = Arrays.copyOf(line, (int) Math.min(doubled, limit));
        }
        System.arraycopy(chunk, from, line, length, to - from);
        length = needed;
    }

    private @Nullable Problem frame(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        if (StrictJson.parse(bytes, from, end - from) instanceof StrictJson.Valid json
                && MessageCodec.decode(json.value()) instanceof MessageCodec.Valid valid) {
            sink.message(valid.message());
            return null;
        }
        return countNoise(to - from);
    }

    private @Nullable Problem countNoise(int bytes) {
        synchronized (lock) {
            noiseLines++;
            noiseBytes += bytes;
            tolerated++;
            int allowance = handshakeDone ? NOISE_AFTER_HANDSHAKE : NOISE_BEFORE_HANDSHAKE;
            return tolerated > allowance ? tooNoisy(allowance) : null;
        }
    }

    private Problem tooNoisy(int allowance) {
        return new Problem(
                ErrorCode.WIRE_NOISE,
                peer + " sent " + tolerated + " lines that are no JSON-RPC messages "
                        + (handshakeDone ? "after" : "before the end of") + " the handshake (" + allowance
                        + " are tolerated; " + noiseBytes + " bytes of noise in all).",
                "Make it write its logs to standard error: standard output belongs to the protocol. If it has no"
                        + " such setting, check that the command starts the MCP server and not something else.");
    }

    private Problem tooLarge(long seen, boolean whole, Cap limit) {
        return new Problem(
                ErrorCode.WIRE_FRAME_TOO_LARGE,
                peer + " sent a line of " + (whole ? "" : "at least ") + seen + " bytes; the limit is " + limit.bytes
                        + " (" + limit.key.key() + ").",
                "If a message of that size is right, raise " + limit.key.key() + " in config.json (at most "
                        + limit.key.ceiling() + ").");
    }
}
