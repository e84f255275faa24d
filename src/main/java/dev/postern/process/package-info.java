/// Child processes: the launch thread, pipes, containment, the stop ladder, the run ledger and its sweep (PRC). The
/// only user of `ProcessBuilder` and `ProcessHandle`; everything a server needs on disk or in the kernel is asked
/// for here.
///
/// What a child writes is bytes: nothing here looks into standard output, and standard error is kept as it came,
/// in a ring. What `/proc` says is trusted as far as the kernel writes it (numbers, states, names of pipes);
/// an entry that has gone or can't be read is a process that is not there.
///
/// What must be ended by whoever comes after a killed host is written down in small files, not in the database:
/// they cost nothing at the start of a command, and a database that is damaged, locked or full never stands between
/// a leftover process and its end. A file that is malformed, too large, linked, or somebody else's is reported by
/// `doctor` and has no other effect.
@NullMarked
package dev.postern.process;

import org.jspecify.annotations.NullMarked;
