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

    private static final Message PROMPT = new Message.User("go");

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

        var problem = Objects.requireNonNull(count.tooMuch(PROMPT));

        assertThat(problem.message()).contains("large (about 7", "middle (about 3", "small", "900");
        assertThat(problem.message()).doesNotContain("tiny");
        assertThat(count(2_000, tool("large", 700)).tooMuch(PROMPT)).isNull();
    }

    @Test
    void leavesRoomForTheAnswer() {
        assertThat(count(1_000).left()).isLessThan(900).isGreaterThan(800);
    }

    @Test
    void countsInTheProportionThatTheProviderSays() {
        var count = count(1_000);
        var message = new Message.User("x".repeat(100));
        var sent = List.<Message>of(message);
        long before = count.left();

        count.learn(sent, new Usage(2 * (108 + 13), 5, false));
        assertThat(count.left()).isLessThan(before / 2 + 10);
        count.learn(sent, new Usage(1_000_000, 5, true));
        assertThat(count.left()).isLessThan(before / 2 + 10).isPositive();
    }

    @Test
    void getsNoTokenizerReadyForWhatSurelyFits() {
        var model = new ModelInUse(NEVER_ASKED, 2_000, 100);
        var count = new ContextCount(model, "rules", List.of(tool("one", 1_000)), new TokenCount(text -> {
            throw new AssertionError("nobody has to count this");
        }));
        var conversation = new Conversation("run_2");
        conversation.add(new Conversation.Entry("run_1", 1, new Message.User("first")));
        conversation.add(new Conversation.Entry("run_1", 2, new Message.Assistant("x".repeat(500), List.of())));
        conversation.add(new Conversation.Entry("run_2", 1, PROMPT));

        assertThat(count.tooMuch(PROMPT)).isNull();
        assertThat(Objects.requireNonNull(conversation.fitting(count)).messages())
                .hasSize(3);
        count.learn(List.of(PROMPT), new Usage(100, 5, false));
        assertThat(Objects.requireNonNull(conversation.fitting(count)).messages())
                .hasSize(3);
    }

    @Test
    void takesBytesForTheMostThatATextCanCost() {
        var count = count(200);

        assertThat(count.surelyFit(List.of(new Message.User("x".repeat(60))))).isTrue();
        assertThat(count.surelyFit(List.of(new Message.User("\u00e9".repeat(60)))))
                .isFalse();
    }
}
