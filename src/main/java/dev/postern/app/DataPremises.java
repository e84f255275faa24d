package dev.postern.app;

import dev.postern.base.Answer;
import dev.postern.datadir.DataDirectory;
import dev.postern.process.Premises;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The data directory as the launcher of servers sees it.
record DataPremises(DataDirectory data) implements Premises {
    @Override
    public Path directory() {
        return data.path();
    }

    @Override
    public @Nullable Path run() {
        return data.checkRun() instanceof DataDirectory.Checked.Ready ? data.run() : null;
    }

    @Override
    public Answer<Path> makeRun() {
        var problem = data.createRun();
        return problem == null ? new Answer.Here<>(data.run()) : new Answer.Not<>(problem);
    }
}
