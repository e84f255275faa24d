package dev.postern.base;

/// The families of problems. A face maps each family to its own signal: the command line to an exit code
/// (CLI-5), REST to a status. No two families share an exit code.
public enum ErrorKind {
    /// A fault of ours, a full disk, a damaged file.
    INTERNAL,
    /// The command was used wrongly: unknown server, text that does not parse.
    USAGE,
    /// `config.json` or the data directory is not acceptable; nothing was started.
    CONFIGURATION,
    /// The server could not be started, discovered or written to; nothing was sent.
    UNAVAILABLE,
    /// The server answered an error.
    FAILED,
    /// Sent, and no valid answer came: the server may have acted.
    UNKNOWN,
    /// Policy, schema, approval or a limit said no; nothing was sent.
    REFUSED,
    /// The worker, or the way to it: it does not run, did not start, ended, or speaks another version.
    WORKER,
    /// The model: none is configured, or no whole answer came from it.
    MODEL,
    /// The owner cancelled.
    CANCELLED
}
