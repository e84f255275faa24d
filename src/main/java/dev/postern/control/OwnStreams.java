package dev.postern.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The client's own streams, which a forwarded command reads and writes from afar. A stream that failed is
/// written to no more; the worker learns why when it flushes.
public final class OwnStreams {
    private final InputStream in;
    private final OutputStream[] outputs;
    private final @Nullable String[] failures = new String[3];
    private @Nullable InputStream file;
    private volatile boolean wrote;

    public OwnStreams(InputStream in, OutputStream out, OutputStream err) {
        this.in = in;
        this.outputs = new OutputStream[] {out, out, err};
    }

    /// Whether anything was written to standard output.
    public boolean wrote() {
        return wrote;
    }

    void write(int stream, String base64) {
        int which = stream == 2 ? 2 : 1;
        if (failures[which] != null) {
            return;
        }
        try {
            outputs[which].write(Base64.getDecoder().decode(base64));
            wrote |= which == 1;
        } catch (IOException | IllegalArgumentException e) {
            failures[which] = said(e);
        }
    }

    ObjectNode flush(int stream) {
        int which = stream == 2 ? 2 : 1;
        try {
            if (failures[which] == null) {
                outputs[which].flush();
            }
        } catch (IOException e) {
            failures[which] = said(e);
        }
        var answer = Protocol.object();
        return failures[which] == null ? answer : answer.put(Protocol.ERROR, failures[which]);
    }

    /// Called for one piece after the other.
    synchronized ObjectNode read(ObjectNode params) {
        int most = Math.clamp(params.path("most").asInt(), 1, Protocol.CHUNK_BYTES);
        try {
            if (params.path(Protocol.AVAILABLE).asBoolean()) {
                return Protocol.object().put(Protocol.AVAILABLE, in.available());
            }
            var from = params.has("file") ? opened(params.path("file").asText()) : in;
            var bytes = new byte[most];
            int count = Math.max(0, from.read(bytes));
            return Protocol.object()
                    .put(Protocol.BASE64, Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, count)));
        } catch (NoSuchFileException e) {
            return Protocol.object().put(Protocol.MISSING, true);
        } catch (IOException | InvalidPathException e) {
            return Protocol.object().put(Protocol.ERROR, said(e));
        }
    }

    /// A command line names one file at most; it stays open until this process ends.
    private InputStream opened(String name) throws IOException {
        var opened = file;
        if (opened == null) {
            var path = Path.of(name);
            if (Files.isDirectory(path)) {
                throw new IOException("it is a directory");
            }
            opened = Files.newInputStream(path);
            file = opened;
        }
        return opened;
    }

    private static String said(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
