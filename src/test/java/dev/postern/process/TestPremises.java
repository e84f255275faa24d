package dev.postern.process;

import dev.postern.base.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A data directory of a test, without the checks of the real one.
record TestPremises(Path directory) implements Premises {
    @Override
    public Path run() {
        return directory.resolve("run");
    }

    @Override
    public Answer<Path> makeRun() {
        try {
            return new Answer.Here<>(Files.createDirectories(run()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
