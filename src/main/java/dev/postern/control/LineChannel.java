package dev.postern.control;

import dev.postern.wire.Message;
import dev.postern.wire.MessageCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Writes messages to a socket, one line each, from any thread. A peer that does not read blocks the writers of this
/// channel and nobody else; closing it frees them.
final class LineChannel implements AutoCloseable {
    private final SocketChannel channel;
    private final Object writing = new Object();

    LineChannel(SocketChannel channel) {
        this.channel = channel;
    }

    void send(Message message) throws IOException {
        var _ = sendWithin(message, Integer.MAX_VALUE);
    }

    /// As [#send], unless the line would be longer than `most` bytes: then nothing is sent.
    ///
    /// @throws IllegalArgumentException for text that JSON can't say
    boolean sendWithin(Message message, int most) throws IOException {
        byte[] bytes = MessageCodec.encode(message);
        if (bytes.length - 1 > most) {
            return false;
        }
        var line = ByteBuffer.wrap(bytes);
        synchronized (writing) {
            while (line.hasRemaining()) {
                var _ = channel.write(line);
            }
        }
        return true;
    }

    /// The next bytes, or -1 at the end.
    int read(ByteBuffer buffer) throws IOException {
        return channel.read(buffer);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
