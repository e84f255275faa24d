package dev.postern.host;

import static dev.postern.host.AgentKit.call;
import static dev.postern.host.AgentRunIT.answers;
import static dev.postern.host.AgentRunIT.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Cancellation;
import dev.postern.base.Threads;
import dev.postern.host.HostKit.Server;
import dev.postern.policy.Mode;
import dev.postern.run.Approver.Verdict;
import dev.postern.run.RunOrder;
import dev.postern.run.RunOrder.AllowedTool;
import dev.postern.run.RunReport;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Asking the owner, with real servers and a model that says what it is told to.
@ExtendWith(LeavesNothingBehind.class)
class ApprovalsIT {
    @TempDir
    private Path dir;

    @Test
    @Tag("APR-1")
    @Tag("APR-2")
    void asksTheOwnerAboutExactlyWhatWouldBeSent() {
        try (var kit = AgentKit.of(dir, Server.of("s", Script.behaving())).start()) {
            kit.answering(new Verdict.Yes(), new Verdict.No());
            kit.model
                    .says("", call("s", "echo", "{\"text\":\"x\"}"))
                    .says("", call("s", "echo", "{\"text\":\"y\"}"))
                    .says("Fine.");

            kit.run("Go.");

            assertThat(kit.questions.stream()
                            .map(question -> question.server() + " " + question.tool() + " " + question.arguments()))
                    .containsExactly("s echo {\"text\":\"x\"}", "s echo {\"text\":\"y\"}");
            assertThat(outcomes(kit)).containsExactly("succeeded", "refused");
            assertThat(answers(kit, 2).getFirst().text()).contains("The owner did not approve");
        }
    }

    @Test
    @Tag("APR-2")
    void aYesForTheRunCoversTheToolAndNoOther() {
        try (var kit = AgentKit.of(dir, Server.of("s", Script.behaving())).start()) {
            kit.answering(new Verdict.YesForRun(), new Verdict.Silence());
            kit.model
                    .says("", call("s", "echo", "{\"text\":\"x\"}"), call("s", "echo", "{\"text\":\"y\"}"))
                    .says("", call("s", "add", "{\"a\":1,\"b\":2}"))
                    .says("Fine.");

            kit.run("Go.");

            assertThat(kit.questions).hasSize(2);
            assertThat(outcomes(kit)).containsExactly("succeeded", "succeeded", "refused");
        }
    }

    @Test
    @Tag("APR-1")
    void needsNoApprovalForWhatTheCommandNamedOrIsReviewed() {
        var server = Server.of("s", Script.behaving()).scheduledTools("add");
        try (var kit = AgentKit.of(dir, server).start()) {
            kit.model
                    .says("", call("s", "echo", "{\"text\":\"x\"}"), call("s", "add", "{\"a\":1,\"b\":2}"))
                    .says("Fine.");

            kit.run(new RunOrder(Mode.CHAT, "Go.", null, Set.of(new AllowedTool("s", "echo"))), new Cancellation());

            assertThat(outcomes(kit)).containsExactlyInAnyOrder("succeeded", "succeeded");
        }
    }

    @Test
    @Tag("APR-2")
    void aQuestionCanWaitForAnAnswerFromElsewhere() {
        try (var kit = AgentKit.of(dir, Server.of("s", Script.behaving())).start()) {
            var pending = kit.host.approvals();
            kit.approver(pending);
            kit.model.says("", call("s", "echo", "{\"text\":\"x\"}")).says("Fine.");
            var running = new CompletableFuture<RunReport>();
            Threads.virtual("test-run", () -> running.complete(kit.run("Go.")));

            await().until(() -> !pending.waiting().isEmpty());
            var id = pending.waiting().getFirst().id();

            assertThat(pending.answer("appr_other", new Verdict.Yes())).isFalse();
            assertThat(pending.answer(id, new Verdict.Yes())).isTrue();
            running.join();
            assertThat(pending.answer(id, new Verdict.Yes())).isFalse();
            assertThat(outcomes(kit)).containsExactly("succeeded");
        }
    }

    @Test
    @Tag("RUN-5")
    @Tag("APR-1")
    void writesANoteOnlyWithApprovalAndReadsItBack() {
        try (var kit = AgentKit.of(dir).start()) {
            kit.answering(new Verdict.No(), new Verdict.Yes());
            var write = FakeModel.call("notes_write", "{\"name\":\"todo\",\"text\":\"buy milk\"}");
            kit.model
                    .says("", write)
                    .says("", write)
                    .says("", FakeModel.call("notes_read", "{\"name\":\"todo\"}"))
                    .says("", FakeModel.call("notes_list", "{}"))
                    .says("", FakeModel.call("notes_read", "{\"name\":\"none\"}"))
                    .says("Done.");

            kit.run("Remember milk.");

            assertThat(outcomes(kit)).containsExactly("refused", "succeeded", "succeeded", "succeeded", "failed");
            assertThat(answers(kit, 3).getFirst().text()).contains("buy milk");
            assertThat(answers(kit, 4).getFirst().text()).contains("todo");
        }
    }
}
