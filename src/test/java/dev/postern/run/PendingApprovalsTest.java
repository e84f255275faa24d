package dev.postern.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.base.Cancellation;
import dev.postern.base.Threads;
import dev.postern.run.Approver.Question;
import dev.postern.run.Approver.Verdict;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("APR-2")
class PendingApprovalsTest {
    private final PendingApprovals approvals = new PendingApprovals();

    private static Question question(Duration patience) {
        return new Question("appr_1", "run_1", "s", "t", JsonNodeFactory.instance.objectNode(), patience);
    }

    @Test
    void silenceIsNoYesAndTheQuestionIsGone() {
        assertThat(approvals.ask(question(Duration.ofMillis(20)), new Cancellation()))
                .isInstanceOf(Verdict.Silence.class);

        assertThat(approvals.waiting()).isEmpty();
        assertThat(approvals.answer("appr_1", new Verdict.Yes())).isFalse();
    }

    @Test
    void theOwnerHasFiveMinutes() {
        assertThat(Approvals.PATIENCE).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aCancelledRunWaitsNoLonger() {
        var cancellation = new Cancellation();
        var verdict = new CompletableFuture<Verdict>();
        Threads.virtual(
                "test-question", () -> verdict.complete(approvals.ask(question(Duration.ofMinutes(5)), cancellation)));
        await().until(() -> !approvals.waiting().isEmpty());

        cancellation.request();

        assertThat(verdict.join()).isInstanceOf(Verdict.Silence.class);
    }
}
