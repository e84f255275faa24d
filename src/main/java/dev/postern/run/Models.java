package dev.postern.run;

import dev.postern.base.Answer;

/// Where runs get their model. Safe for use by many threads.
public interface Models extends AutoCloseable {
    /// The model that is configured, opened by the first who asks; or why there is none.
    Answer<ModelInUse> model();

    /// Ends what a model still answers.
    @Override
    void close();
}
