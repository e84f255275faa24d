package dev.postern.store;

import org.jspecify.annotations.Nullable;

/// A call as it is stored; times are milliseconds since 1970, `content` and its like are JSON.
///
/// @param settled null while it is open, and so is `outcome`
public record CallRow(
        String id,
        String runId,
        String server,
        String tool,
        @Nullable String modelName,
        @Nullable String digest,
        String mode,
        @Nullable String arguments,
        @Nullable Long argumentBytes,
        long begun,
        @Nullable Long intended,
        @Nullable Long sent,
        @Nullable Long settled,
        @Nullable Long duration,
        @Nullable String outcome,
        CallEnd.@Nullable Trouble trouble,
        CallEnd.@Nullable Result result,
        String owner) {}
