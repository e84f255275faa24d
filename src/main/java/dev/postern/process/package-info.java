/// Child processes: the launch thread, pipes, containment and the stop ladder (PRC). The only user of
/// `ProcessBuilder` and `ProcessHandle`; everything a server needs on disk or in the kernel is asked for here.
///
/// What a child writes is bytes: nothing here looks into standard output, and standard error is kept as it came,
/// in a ring. What `/proc` says is trusted as far as the kernel writes it (numbers, states, names of pipes);
/// an entry that has gone or can't be read is a process that is not there.
@NullMarked
package dev.postern.process;

import org.jspecify.annotations.NullMarked;
