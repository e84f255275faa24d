package dev.postern.model;

import java.util.List;

/// One turn of a conversation.
public sealed interface Message {
    record User(String text) implements Message {}

    /// What a model answered.
    ///
    /// @param text may be empty when there are calls
    record Assistant(String text, List<ToolCall> calls) implements Message {
        public Assistant {
            calls = List.copyOf(calls);
        }
    }

    /// What became of the calls of the [Assistant] right before: one answer to each.
    record Results(List<ToolAnswer> answers) implements Message {
        public Results {
            answers = List.copyOf(answers);
        }
    }
}
