package dev.postern.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes in a process of their own, such as one of another user. Each result becomes a line of a file:
/// `passed`, `skipped` or `failed`, the test's name, and why in Base64, separated by tabs. Tests tagged `slow` are
/// left out.
public final class RunTests implements TestExecutionListener {
    private final Path results;

    private RunTests(Path results) {
        this.results = results;
    }

    /// One result.
    public record Result(String state, String name, String why) {
        static Result parse(String line) {
            String[] fields = line.split("\t", -1);
            return new Result(
                    fields[0], fields[1], new String(Base64.getDecoder().decode(fields[2]), StandardCharsets.UTF_8));
        }
    }

    /// What a run wrote so far.
    public static List<Result> results(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(Result::parse).toList();
    }

    /// Arguments: the file for the results, and the names of the classes.
    public static void main(String... args) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(List.of(args).subList(1, args.length).stream()
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .filters(TagFilter.excludeTags("slow"))
                .build();
        LauncherFactory.create().execute(request, new RunTests(Path.of(args[0])));
        System.exit(0);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write("skipped", test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String why = result.getThrowable().map(RunTests::trace).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    write("passed", test, why);
                }
            }
            case ABORTED -> write("skipped", test, why);
            case FAILED -> write("failed", test, why);
        }
    }

    private void write(String state, TestIdentifier test, String why) {
        String where = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(method -> method.getClassName().replaceFirst(".*\\.", "") + "." + method.getMethodName() + " ")
                .orElse("");
        String name = (where + test.getDisplayName()).replaceAll("\\s+", " ");
        String line = state + "\t" + name + "\t"
                + Base64.getEncoder().encodeToString(why.getBytes(StandardCharsets.UTF_8)) + "\n";
        try {
            Files.writeString(results, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String trace(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
