package dev.postern.bench;

import dev.postern.secret.Redactor;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.Random;
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

/// Eight secrets looked for in a text that holds one of them.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RedactorBenchmark {
    private static final int SECRETS = 8;

    /// Characters of text.
    @Param({"1000", "32768"})
    private int size;

    private Redactor redactor = Redactor.none();
    private String text = "";

    @Setup
    public void prepare() {
        var random = new Random(1);
        var secrets = new ArrayList<SecretValue>();
        for (int i = 0; i < SECRETS; i++) {
            var value = new StringBuilder();
            while (value.length() < 40) {
                value.append((char) ('!' + random.nextInt(90)));
            }
            secrets.add(new SecretValue("secret-" + i, value.toString()));
        }
        redactor = new Redactor(secrets);
        var prose = new StringBuilder();
        while (prose.length() < size) {
            prose.append("A line of ordinary text, number ")
                    .append(prose.length())
                    .append(", path=/a/b%20c\n");
        }
        prose.insert(size / 2, secrets.getFirst().reveal());
        text = prose.toString();
    }

    @Benchmark
    public Redactor.Redacted redact() {
        return redactor.redact(text);
    }
}
