package dev.postern.base;

/// Which Postern this is: what `--version` prints and what peers are told.
public final class Version {
    /// The same as in the build; a test holds the two together, so that nothing has to be read at start-up.
    public static final String TEXT = "0.1.0-SNAPSHOT";

    private Version() {}
}
