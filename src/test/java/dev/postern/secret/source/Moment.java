package dev.postern.secret.source;

/// When a [Disturbed] directory is disturbed.
enum Moment {
    BEFORE_OPENING_DIRECTORY,
    BEFORE_OPENING,
    BEFORE_READING
}
