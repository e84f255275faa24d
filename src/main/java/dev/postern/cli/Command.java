package dev.postern.cli;

import picocli.CommandLine.Model.CommandSpec;

/// One command: what it is called and takes, and what it does. Built by program and not by annotations, so that
/// nothing is looked up by reflection.
interface Command {
    /// The shape for Picocli, with this command as its user object.
    CommandSpec spec();

    /// Does it, and tells what went wrong.
    ///
    /// @param line what was given to this very command
    /// @return the exit code
    int run(Line line, Session session);
}
