package dev.postern.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.wire.Correlator;
import dev.postern.wire.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The client's streams as its command has them. A write is on its way when it returns; a flush asks the client.
final class RemoteStreams implements ClientStreams {
    /// What a pipe says whose reader has gone: for a command the two are the same.
    private static final String GONE = "Broken pipe";

    private static final Problem ENDED = new Problem(ErrorCode.CANCELLED, "The client has gone.", "");

    private final LineChannel channel;
    private final Correlator correlator = new Correlator();
    private final OutputStream out = new Output(1);
    private final OutputStream err = new Output(2);
    private final Object lock = new Object();
    private Correlator.@Nullable Pending reading;
    private @Nullable Thread command;
    private boolean readByCommand;
    private boolean cancelled;
    private boolean abandoned;
    private boolean interrupted;

    RemoteStreams(LineChannel channel) {
        this.channel = channel;
    }

    @Override
    public InputStream in() {
        return new Input(null, new byte[0]);
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public OutputStream err() {
        return err;
    }

    @Override
    public InputStream open(String file) throws IOException {
        return new Input(file, chunk(file, Protocol.CHUNK_BYTES));
    }

    /// The calling thread is the command's from now on.
    void serveCommand() {
        synchronized (lock) {
            command = Thread.currentThread();
        }
    }

    /// The client waits for the end: who reads is freed, since nothing may come any more.
    void cancelled() {
        Correlator.Pending pending;
        synchronized (lock) {
            cancelled = true;
            pending = reading;
            abandoned |= pending != null;
            interrupted |= pending != null && readByCommand;
        }
        if (pending != null) {
            pending.abandon();
        }
    }

    /// Whether a cancel came while the command itself was reading. What it says after that, it says of that; nobody
    /// asked. A command that has another thread wait for input has more to say.
    boolean interrupted() {
        synchronized (lock) {
            return interrupted;
        }
    }

    void gone() {
        correlator.end(ENDED);
    }

    /// False for an answer to nothing that was asked.
    boolean answered(Message.Response response) {
        long before = correlator.unmatched();
        correlator.respond(response);
        if (correlator.unmatched() == before) {
            return true;
        }
        synchronized (lock) {
            return abandoned;
        }
    }

    private ObjectNode ask(String method, ObjectNode params) throws IOException {
        var pending = correlator.register();
        boolean read = method.equals(Protocol.READ);
        if (read) {
            synchronized (lock) {
                boolean own = Thread.currentThread() == command;
                if (cancelled) {
                    interrupted |= own;
                    throw new IOException("cancelled");
                }
                reading = pending;
                readByCommand = own;
            }
        }
        try {
            channel.send(new Message.Request(pending.id(), method, params));
            return answer(pending.settled().join());
        } finally {
            if (read) {
                synchronized (lock) {
                    reading = null;
                }
            }
        }
    }

    private static ObjectNode answer(Correlator.Settled settled) throws IOException {
        return switch (settled) {
            case Correlator.Answered answered -> answer(answered.response());
            case Correlator.Ended ended -> throw new IOException(GONE);
            case Correlator.Abandoned abandoned -> throw new IOException("cancelled");
        };
    }

    private static ObjectNode answer(Message.Response response) throws IOException {
        return switch (response) {
            case Message.Result result when result.result() instanceof ObjectNode object -> object;
            case Message.Result other -> throw new IOException(GONE);
            case Message.Failure failure -> throw new IOException(failure.message());
        };
    }

    /// The next bytes of standard input or of a file; none at the end.
    private byte[] chunk(@Nullable String file, int most) throws IOException {
        var params = Protocol.object().put("most", Math.min(most, Protocol.CHUNK_BYTES));
        if (file != null) {
            params.put("file", file);
        }
        var answer = ask(Protocol.READ, params);
        if (answer.path(Protocol.MISSING).asBoolean()) {
            throw new NoSuchFileException(file);
        }
        if (answer.has(Protocol.ERROR)) {
            throw new IOException(answer.path(Protocol.ERROR).asText());
        }
        try {
            return Base64.getDecoder().decode(answer.path(Protocol.BASE64).asText());
        } catch (IllegalArgumentException e) {
            throw new IOException(GONE, e);
        }
    }

    private final class Input extends InputStream {
        private final @Nullable String file;
        private byte[] held;
        private int at;

        Input(@Nullable String file, byte[] held) {
            this.file = file;
            this.held = held;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (at == held.length) {
                held = chunk(file, length);
                at = 0;
            }
            int count = Math.min(length, held.length - at);
            System.arraycopy(held, at, to, offset, count);
            at += count;
            return count == 0 ? -1 : count;
        }

        /// Of standard input, what waits at the client too, as far as one read may take it.
        @Override
        public int available() throws IOException {
            int here = held.length - at;
            if (here > 0 || file != null) {
                return here;
            }
            var answer = ask(Protocol.WAITING, Protocol.object());
            return Math.clamp(answer.path(Protocol.BYTES).asInt(), 0, Protocol.CHUNK_BYTES);
        }
    }

    private final class Output extends OutputStream {
        private final int stream;
        private boolean dirty;

        Output(int stream) {
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            int at = offset;
            int end = offset + length;
            while (at < end && !interrupted()) {
                int to = Math.min(end, at + Protocol.CHUNK_BYTES);
                var text = Base64.getEncoder().encodeToString(Arrays.copyOfRange(from, at, to));
                send(Protocol.object().put(Protocol.STREAM, stream).put(Protocol.BASE64, text));
                at = to;
                dirty = true;
            }
        }

        private void send(ObjectNode params) throws IOException {
            try {
                channel.send(new Message.Notification(Protocol.OUTPUT, params));
            } catch (IOException closed) {
                throw new IOException(GONE, closed);
            }
        }

        @Override
        public void flush() throws IOException {
            if (!dirty || interrupted()) {
                return;
            }
            dirty = false;
            var answer = ask(Protocol.FLUSH, Protocol.object().put(Protocol.STREAM, stream));
            if (answer.has(Protocol.ERROR)) {
                throw new IOException(answer.path(Protocol.ERROR).asText());
            }
        }
    }
}
