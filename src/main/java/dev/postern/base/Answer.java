package dev.postern.base;

/// A value, or the problem that stood in its way.
public sealed interface Answer<T> {
    record Here<T>(T value) implements Answer<T> {}

    record Not<T>(Problem problem) implements Answer<T> {}
}
