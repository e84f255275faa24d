package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("WRK-2")
class ForwardingTest {
    private static List<String> taken(boolean calls) {
        return Arrays.stream(CommandName.values())
                .map(name -> (name.group() + " " + name.word()).strip())
                .filter(words -> new Forwarding(calls).takes(List.of(words.split(" ", -1))))
                .toList();
    }

    @Test
    void takesTheseCommandsAndNoOthers() {
        assertThat(taken(false))
                .containsExactly(
                        "mcp servers",
                        "mcp status",
                        "mcp tools",
                        "mcp discover",
                        "runs list",
                        "runs show",
                        "runs watch",
                        "runs cancel",
                        "runs approvals",
                        "runs approve",
                        "runs refuse",
                        "calls show",
                        "chat new",
                        "chat continue",
                        "chat list",
                        "chat show",
                        "chat delete",
                        "exec");
        assertThat(taken(true)).hasSize(19).contains("call");
    }

    @Test
    void takesNoUnknownCommandOfAGroupItKnows() {
        for (var group : List.of("mcp", "chat", "runs", "calls")) {
            assertThat(new Forwarding(true).takes(List.of(group, "invented")))
                    .as(group)
                    .isFalse();
            assertThat(new Forwarding(true).takes(List.of(group))).as(group).isFalse();
        }
    }
}
