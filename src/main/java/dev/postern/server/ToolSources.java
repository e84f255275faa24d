package dev.postern.server;

import dev.postern.base.Answer;

/// The sources that a call may name. Safe for use by many threads.
public interface ToolSources {
    /// The source of that id, or that there is none and which name is near.
    Answer<? extends ToolSource> find(String id);
}
