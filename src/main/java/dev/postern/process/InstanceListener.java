package dev.postern.process;

import dev.postern.base.Deadline;

/// Told what an instance does. Must not block for long and must not throw.
public interface InstanceListener {
    /// The next bytes of standard output, in order, on the instance's reading thread. The buffer is used again
    /// after the return.
    void output(byte[] buffer, int count);

    /// The instance is of no use any more; told exactly once, from any thread. Output that still comes after it
    /// is to be ignored: it can only be that of a process that escaped.
    void ended(Ending ending);

    sealed interface Ending {
        record Exited(Exit exit) implements Ending {}

        /// Standard output was closed, and the process lives on.
        record OutputClosed(long pid) implements Ending {}

        /// Standard input was closed at the other end, and the process lives on.
        record InputClosed(long pid) implements Ending {}

        /// The process did not read its standard input in time, and is being killed.
        record NotReading(Deadline deadline) implements Ending {}
    }
}
