package dev.postern.base;

/// What `protocol` in a server entry says (SRV-1): detect the era, or insist on one.
public enum ProtocolPin {
    AUTO,
    MODERN,
    LEGACY
}
