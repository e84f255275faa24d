package dev.postern.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Limits;
import dev.postern.catalog.CatalogBuilder;
import dev.postern.catalog.Tool;
import dev.postern.catalog.ToolSchema;
import dev.postern.wire.StrictJson;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Arguments of an ordinary tool against its schema, and the making of a catalog of one tool.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ValidatorBenchmark {
    private static final String DEFINITION = """
            {"name": "create_issue", "description": "Creates an issue.",
             "inputSchema": {"type": "object", "required": ["title"], "additionalProperties": false, "properties": {
               "title": {"type": "string", "minLength": 1, "maxLength": 200},
               "body": {"type": "string"},
               "labels": {"type": "array", "items": {"type": "string", "pattern": "^[a-z-]+$"}, "uniqueItems": true},
               "priority": {"enum": ["low", "high"]},
               "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}}}}""";
    private static final String ARGUMENTS = """
            {"title": "The door squeaks", "body": "Every time.", "labels": ["bug", "door", "noise"],
             "priority": "low", "due": null}""";

    private @Nullable ObjectNode definition;
    private @Nullable ObjectNode arguments;
    private @Nullable Tool tool;

    @Setup
    public void prepare() {
        definition = read(DEFINITION);
        arguments = read(ARGUMENTS);
        tool = catalog();
    }

    @Benchmark
    public List<ToolSchema.Violation> validate() {
        return Objects.requireNonNull(tool).input().validate(Objects.requireNonNull(arguments));
    }

    @Benchmark
    public Tool catalog() {
        var builder = new CatalogBuilder("bench", Limits.standard(), false, UnaryOperator.identity());
        var made = builder.build(List.of(Objects.requireNonNull(definition)), List.of("create_issue"));
        return Objects.requireNonNull(made.tool("create_issue"));
    }

    private static ObjectNode read(String json) {
        return switch (StrictJson.parse(json)) {
            case StrictJson.Valid valid -> (ObjectNode) valid.value();
            case StrictJson.Malformed malformed -> throw new IllegalStateException(malformed.describe());
        };
    }
}
