package dev.postern.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a [ScriptedModel] does with one request.
public sealed interface ModelTurn {
    /// A part of an answer.
    sealed interface Part {
        record Text(String text) implements Part {}

        /// A call of a tool.
        ///
        /// @param arguments as they are, malformed or not; Gemini's API can't carry malformed ones, and says so
        record Call(String id, String name, String arguments) implements Part {}
    }

    /// How an answer ends.
    enum End {
        WHOLE,
        /// The model reached its output limit.
        CUT_SHORT,
        /// The provider withheld the rest.
        WITHHELD,
        /// An error stands where the end should.
        ERROR,
        /// The connection is cut, in the middle of the last event.
        BROKEN,
        /// The connection ends in good order, and the answer doesn't.
        UNFINISHED,
        /// Nothing comes any more, until the client leaves.
        SILENT,
        /// The last text is repeated until the client leaves.
        ENDLESS
    }

    /// A streamed answer.
    ///
    /// @param input tokens that the provider counts; 0 when it doesn't say
    record Answer(List<Part> parts, End end, int input, int output) implements ModelTurn {
        public Answer ending(End other) {
            return new Answer(parts, other, input, output);
        }

        public Answer costing(int inputTokens, int outputTokens) {
            return new Answer(parts, end, inputTokens, outputTokens);
        }

        public Answer and(Part part) {
            var more = new ArrayList<>(parts);
            more.add(part);
            return new Answer(List.copyOf(more), end, input, output);
        }

        public Answer calling(String id, String name, String arguments) {
            return and(new Part.Call(id, name, arguments));
        }
    }

    /// An error in the provider's own words.
    ///
    /// @param message what it says besides; null for its usual words
    record Refusal(Why why, @Nullable String message) implements ModelTurn {
        public enum Why {
            KEY,
            RATE,
            OVERFLOW,
            FAULT
        }
    }

    /// Anything else.
    record Raw(int status, Map<String, String> headers, String body) implements ModelTurn {}

    static Answer text(String... pieces) {
        var parts = new ArrayList<Part>();
        for (var piece : pieces) {
            parts.add(new Part.Text(piece));
        }
        return new Answer(List.copyOf(parts), End.WHOLE, 11, 7);
    }

    static Answer call(String id, String name, String arguments) {
        return text().calling(id, name, arguments);
    }

    static Refusal refusal(Refusal.Why why) {
        return new Refusal(why, null);
    }
}
