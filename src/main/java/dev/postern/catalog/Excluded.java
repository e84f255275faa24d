package dev.postern.catalog;

/// An allowed tool that is unfit to be offered (CAT-3), and why.
///
/// @param name as the server wrote it: untrusted
/// @param code stable and short: one of [ExclusionCode]'s, such as `schema.depth`
/// @param reason one sentence with the value seen, the limit and the key where there is one; what it quotes of
///     the server is shortened and holds no invisible characters
public record Excluded(String name, String code, String reason) {}
