package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Limits;
import dev.postern.base.Problem;
import dev.postern.base.Timeouts;
import dev.postern.catalog.Catalog;
import dev.postern.catalog.CatalogBuilder;
import dev.postern.catalog.Tool;
import dev.postern.config.Approval;
import dev.postern.host.HostKit.Server;
import dev.postern.mcp.Era;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.Reply;
import dev.postern.model.ToolDefinition;
import dev.postern.policy.Mode;
import dev.postern.policy.ServerRule;
import dev.postern.run.OwnTools;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.secret.Redactor;
import dev.postern.server.CallGate;
import dev.postern.server.Connected;
import dev.postern.server.Readiness;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Tools with the life of one run, and what a run without an owner is offered.
@ExtendWith(LeavesNothingBehind.class)
class OwnToolsIT {
    @TempDir
    private Path dir;

    private final List<String> happened = new ArrayList<>();

    private Set<String> offered(AgentKit kit) {
        var names = new ArrayList<String>();
        for (ToolDefinition tool : kit.model.requests().getFirst().tools()) {
            names.add(tool.name().replaceFirst("^postern_mcp_(.*)_[0-9a-f]{12}$", "$1"));
        }
        return Set.copyOf(names);
    }

    @Test
    @Tag("RUN-2")
    void areOpenedAtTheirFirstUseAndClosedWithTheirRun() {
        try (var kit = AgentKit.of(dir).own(Page::new).start()) {
            kit.model
                    .says("Nothing to do.")
                    .says("", AgentKit.call("page", "look", "{}"))
                    .says("Seen.");

            kit.run("First.");
            assertThat(happened).containsExactly("closed");
            happened.clear();
            kit.run("Second.");

            assertThat(offered(kit)).contains("look");
            assertThat(happened).containsExactly("opened", "look", "closed");
            assertThat(kit.events(RunEvent.CallEnded.class)
                            .getFirst()
                            .report()
                            .outcome()
                            .word())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    @Tag("APR-3")
    @Tag("RUN-5")
    void aScheduledRunIsOfferedWhatIsReviewedAndNothingElse() {
        var server = Server.of("s", Script.behaving()).approval(Approval.AUTO).scheduledTools("add");
        try (var kit = AgentKit.of(dir, server).own(Page::new).start()) {
            kit.model
                    .says("", AgentKit.call("s", "echo", "{\"text\":\"x\"}"))
                    .says("", FakeModel.call("notes_write", "{\"name\":\"a\",\"text\":\"b\"}"))
                    .says("Done.");

            kit.run(new RunOrder(Mode.SCHEDULED, "Go.", null, Set.of()), new Cancellation());

            assertThat(offered(kit)).containsExactlyInAnyOrder("add", "clock_now", "notes_list", "notes_read");
            assertThat(happened).isEmpty();
            assertThat(kit.events(RunEvent.CallEnded.class))
                    .allSatisfy(
                            ended -> assertThat(ended.report().outcome().word()).isEqualTo("refused"));
        }
    }

    /// As a browser would be.
    private final class Page implements OwnTools.Opened {
        private static final String DEFINITION =
                "{\"name\":\"look\",\"description\":\"Looks.\",\"inputSchema\":{\"type\":\"object\"}}";

        private final Catalog catalog = new CatalogBuilder("page", Limits.standard(), false, text -> text)
                .build(List.of(Json.object(DEFINITION)), Set.of("look"));

        Page(String runId) {
            assertThat(runId).startsWith("run_");
        }

        @Override
        public String id() {
            return "page";
        }

        @Override
        public ServerRule rule() {
            return new ServerRule("page", true, Set.of("look"), Set.of("look"), true);
        }

        @Override
        public Limits limits() {
            return Limits.standard();
        }

        @Override
        public Timeouts timeouts() {
            return Timeouts.standard();
        }

        @Override
        public CallGate gate() {
            return new CallGate(true);
        }

        @Override
        public Redactor redactor() {
            return Redactor.none();
        }

        @Override
        public Answer<List<Tool>> tools(Cancellation cancellation) {
            return new Answer.Here<>(catalog.tools());
        }

        @Override
        public Readiness ready(Cancellation cancellation) {
            happened.add("opened");
            return new Readiness.Ready(new Connected(new Looking(), catalog, Instant.EPOCH));
        }

        @Override
        public void close() {
            happened.add("closed");
        }
    }

    private final class Looking implements McpSession {
        @Override
        public Era era() {
            return Era.HANDSHAKE;
        }

        @Override
        public String protocolVersion() {
            return "2025-11-25";
        }

        @Override
        public Reply listTools(@Nullable String cursor, Deadline deadline) {
            throw new AssertionError("its tools are known");
        }

        @Override
        public Reply callTool(String name, ObjectNode arguments, Deadline deadline, Cancellation cancellation) {
            happened.add(name);
            return new Reply.Result(Json.object("{\"content\":[]}"));
        }

        @Override
        public CompletableFuture<Problem> ended() {
            return new CompletableFuture<>();
        }

        @Override
        public Counters counters() {
            return new Counters(0, 0, 0);
        }
    }
}
