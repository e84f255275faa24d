package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.MockLlm;
import dev.postern.testkit.Script;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The packaged program asks a stranger's server that speaks OpenAI's API.
@ExtendWith(LeavesNothingBehind.class)
class ChatInteropIT {
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
                       "content": "{{jmes request body.model}} heard {{jmes request body.messages[-1].content}}"},
                       "finish_reason": "stop"}]}
            """;

    @TempDir
    private Path dir;

    @Test
    @Tag("MDL-1")
    @Tag("RUN-4")
    void printsWhatAnotherServerAnswers() throws IOException {
        try (var server = MockLlm.start(dir, CONFIG);
                var kit = new ChatKit(dir)) {
            kit.config().withObject("/model").put("baseUrl", server.baseUrl().toString());
            kit.server("s", Script.behaving(), "echo");
            kit.configure();

            var ended = kit.postern("exec", "--prompt", "all of it").run();

            assertThat(ended.exit()).as("%s", ended).isZero();
            assertThat(ended.out()).isEqualTo("m-1 heard all of it\n");
            assertThat(ended.err()).isEmpty();
        }
    }
}
