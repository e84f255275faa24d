package dev.postern.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.wire.FrameDecoder;
import dev.postern.wire.Message;
import dev.postern.wire.MessageCodec;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// A message in and out: bytes to a checked message, and back.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {
    /// Characters of text in the result.
    @Param({"100", "10000"})
    private int size;

    private Message message = new Message.Notification("none", null);
    private byte[] line = {};

    @Setup
    public void prepare() {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("content").addObject().put("type", "text").put("text", "word 1é ".repeat(size / 8));
        message = new Message.Result(JsonNodeFactory.instance.numberNode(7), result);
        line = MessageCodec.encode(message);
    }

    @Benchmark
    public void decode(Blackhole sink) {
        var decoder = new FrameDecoder("The server", 1 << 20, sink::consume);
        sink.consume(decoder.feed(line, 0, line.length));
    }

    @Benchmark
    public byte[] encode() {
        return MessageCodec.encode(message);
    }
}
