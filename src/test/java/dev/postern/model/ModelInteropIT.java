package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ModelProvider;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.MockLlm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A stranger's server that speaks OpenAI's API, from npm, as `src/test/interop` pins it.
@ExtendWith(LeavesNothingBehind.class)
class ModelInteropIT {
    private static final String CONFIG = """
            streaming:
              chunkSize: 4
              chunkIntervalMs: 5
            rules:
              - path: "/v1/chat/completions"
                match: "@"
                response:
                  status: 200
                  content: |
                    {"id": "c", "object": "chat.completion", "created": 1, "model": "{{jmes request body.model}}",
                     "choices": [{"message": {"role": "assistant",
                       "content": "{{jmes request headers.authorization}} {{jmes request body.tools[0].function.name}}"},
                       "finish_reason": "stop"}]}
              - path: "/v1/chat/completions"
                match: "contains(body.messages[-1].content, 'wrong key')"
                response:
                  status: 401
                  content: |
                    {"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error",
                     "param": null, "code": "invalid_api_key"}}
            """;

    @TempDir
    private Path dir;

    private Chats.Said ask(String text) throws IOException {
        try (var server = MockLlm.start(dir, CONFIG);
                var chat = ChatModels.open(Chats.settings(ModelProvider.OPENAI, server.baseUrl()), Chats.KEY)) {
            return Chats.ask(chat, Chats.request(text, Chats.tool("read")));
        }
    }

    @Test
    @Tag("MDL-1")
    void isUnderstoodByAndUnderstandsAnotherServer() throws IOException {
        var said = ask("hello");

        assertThat(said.answered().text()).isEqualTo("Bearer " + Chats.KEY.reveal() + " read");
        assertThat(said.pieces()).hasSizeGreaterThan(5);
        assertThat(said.answered().usage().estimated()).isTrue();
    }

    @Test
    @Tag("MDL-2")
    void knowsAnErrorThatAnotherServerPutsIntoItsStream() throws IOException {
        var failed = ask("wrong key").failed();

        assertThat(failed.fault()).isEqualTo(ModelFault.AUTHENTICATION);
        assertThat(failed.problem().message()).contains("Incorrect API key provided.");
    }
}
