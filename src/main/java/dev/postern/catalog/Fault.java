package dev.postern.catalog;

/// The first thing found wrong with a definition.
///
/// @param reason a clause without a subject, such as `has 17 levels of sub-schemas`; the caller says of what
record Fault(ExclusionCode code, String reason) {}
