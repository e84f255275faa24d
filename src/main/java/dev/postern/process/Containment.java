package dev.postern.process;

import org.jspecify.annotations.Nullable;

/// What keeps the processes of an instance together (PRC-4).
///
/// @param guarded a guardian kills the server's process group when the host is killed; only with [Kind#SESSION]
/// @param remedy how to get better containment; null when there is nothing to gain
public record Containment(
        Kind kind, boolean guarded, @Nullable String remedy) {
    /// From strong to none. A namespace ends with everything in it, whatever becomes of the host.
    public enum Kind {
        /// A PID namespace made by bubblewrap, with an init of its own.
        BWRAP("bwrap"),
        /// A PID namespace made by util-linux; the server is its first process.
        UNSHARE("unshare"),
        /// The server's own process is killed with the host; what it started is ended by the next one.
        PARENT_DEATH("pdeathsig"),
        /// Only a session of its own, and so a process group; a guardian ends that with the host, where there is one.
        SESSION("session"),
        NONE("none");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /// As `mcp status` shows it.
        public String word() {
            return word;
        }

        /// Nothing outlives the host, and one signal ends everything.
        public boolean namespace() {
            return this == BWRAP || this == UNSHARE;
        }
    }
}
