package dev.postern.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/// A command line that Picocli has taken apart.
record ParsedLine(ParseResult result) implements Line {
    @Override
    public String value(int index) {
        String value = result.matchedPositionalValue(index, null);
        if (value == null) {
            throw new IllegalStateException("Picocli let a required parameter go missing");
        }
        return value;
    }

    @Override
    public List<String> rest(int index) {
        return result.matchedPositionalValue(index, List.of());
    }

    @Override
    public boolean has(String flag) {
        return result.hasMatchedOption(flag);
    }

    @Override
    public @Nullable String option(String name) {
        return result.matchedOptionValue(name, null);
    }

    @Override
    public List<String> options(String name) {
        return result.matchedOptionValue(name, List.of());
    }
}
