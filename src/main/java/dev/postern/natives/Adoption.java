package dev.postern.natives;

/// The orphans among what descends from this process: by Linux's `PR_SET_CHILD_SUBREAPER` they become its children
/// instead of init's, so that a daemon can't hide by losing its parents. Safe for use by many threads.
public final class Adoption {
    private static final boolean IN_FORCE = begin();

    private Adoption() {}

    /// Begins to adopt, once and for good. Costs some ten milliseconds in a cold process.
    ///
    /// @return false where the system has no such thing, or its functions can't be called
    public static boolean inForce() {
        return IN_FORCE;
    }

    /// Lets a child go that has ended: an adopted one stays a zombie until somebody asks how it ended. Always for
    /// one pid, never for any child: the JDK waits for those that it started.
    public static void reap(long pid) {
        try {
            Libc.reap(pid);
        } catch (SystemFault gone) {
            // No child of ours any more.
        }
    }

    private static boolean begin() {
        try {
            if (NativeDirectory.available()) {
                Libc.adoptOrphans();
                return true;
            }
        } catch (SystemFault | LinkageError | RuntimeException unavailable) {
            // As good as a system without it.
        }
        return false;
    }
}
