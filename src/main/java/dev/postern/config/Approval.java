package dev.postern.config;

/// What `approval` in a server entry says (APR-1): ask before a call, or let calls through.
public enum Approval {
    ASK,
    AUTO
}
