package dev.postern.secret;

/// A secret and the name of the reference it came from. Its text leaves only through [#reveal()], which
/// ArchitectureTest allows to the few packages that must hand it to a server; `toString` never shows it. Not
/// serialisable. Immutable.
public final class SecretValue {
    private final String name;
    private final String value;

    /// @param name the reference's name, as shown in `[redacted:NAME]`
    public SecretValue(String name, String value) {
        this.name = name;
        this.value = value;
    }

    public String name() {
        return name;
    }

    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "SecretValue[" + name + "]";
    }
}
