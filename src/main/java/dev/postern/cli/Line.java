package dev.postern.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was given to one command.
interface Line {
    /// The required parameter at `index`.
    String value(int index);

    /// The parameters from `index` on.
    List<String> rest(int index);

    boolean has(String flag);

    /// The value of an option, or null when it was not given.
    @Nullable
    String option(String name);

    /// Every value of an option that may be given several times.
    List<String> options(String name);
}
