package dev.postern.store;

/// Who owns records that are still open, and whether such an owner is gone (CAL-4). An owner is a process, as
/// [dev.postern.base.ProcessIdentity#text] writes it.
public interface Owners {
    /// This very process.
    String own();

    /// Whether the process is provably gone. One that nobody here can see is not.
    boolean gone(String owner);
}
