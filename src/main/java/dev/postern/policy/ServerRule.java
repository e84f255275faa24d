package dev.postern.policy;

import java.util.Set;

/// What the owner of one server allows, as its entry in `config.json` says it (SRV-1). Immutable.
///
/// @param tools exact names; nothing else exists
/// @param scheduledTools the part of `tools` that was reviewed as read-only
/// @param autoApproved calls need no approval (`approval: auto`)
public record ServerRule(
        String server, boolean enabled, Set<String> tools, Set<String> scheduledTools, boolean autoApproved) {
    public ServerRule {
        tools = Set.copyOf(tools);
        scheduledTools = Set.copyOf(scheduledTools);
    }
}
