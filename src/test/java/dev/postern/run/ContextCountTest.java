package dev.postern.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.model.ChatModel;
import dev.postern.model.Message;
import dev.postern.model.ModelReply;
import dev.postern.model.ModelRequest;
import dev.postern.model.TokenCount;
import dev.postern.model.ToolDefinition;
import dev.postern.model.Usage;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RUN-3")
class ContextCountTest {
    private static final ChatModel NEVER_ASKED = new ChatModel() {
        @Override
        public ModelReply ask(
                ModelRequest request, Consumer<String> onText, Deadline deadline, Cancellation cancellation) {
            throw new AssertionError("nobody counts by asking");
        }

        @Override
        public void close() {}
    };

    private static ContextCount count(long context, ToolDefinition... definitions) {
        var model = new ModelInUse(NEVER_ASKED, context, 100);
        return new ContextCount(model, "rules", List.of(definitions), new TokenCount(String::length));
    }

    private static ToolDefinition tool(String name, int length) {
        return new ToolDefinition(
                name, "d".repeat(length), JsonNodeFactory.instance.objectNode().put("type", "object"));
    }

    @Test
    void namesTheDefinitionsThatCostMost() {
        var count = count(1_000, tool("small", 10), tool("large", 700), tool("middle", 300), tool("tiny", 1));

        var problem = Objects.requireNonNull(count.tooMuch(10));

        assertThat(problem.message()).contains("large (about 7", "middle (about 3", "small", "900");
        assertThat(problem.message()).doesNotContain("tiny");
        assertThat(count(2_000, tool("large", 700)).tooMuch(10)).isNull();
    }

    @Test
    void leavesRoomForTheAnswer() {
        assertThat(count(1_000).left()).isLessThan(900).isGreaterThan(800);
    }

    @Test
    void countsInTheProportionThatTheProviderSays() {
        var count = count(1_000);
        var message = new Message.User("x".repeat(100));
        var sent = new Conversation.Fitting(
                List.of(message),
                new Conversation.Entry("run_1", 1, message, 108),
                new Conversation.Entry("run_1", 1, message, 108),
                108);
        long before = count.left();

        count.learn(sent, new Usage(2 * (108 + 13), 5, false));
        assertThat(count.left()).isLessThan(before / 2 + 10);
        count.learn(sent, new Usage(1_000_000, 5, true));
        assertThat(count.left()).isLessThan(before / 2 + 10).isPositive();
    }
}
