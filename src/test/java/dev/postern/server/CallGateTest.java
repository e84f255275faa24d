package dev.postern.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Cancellation;
import dev.postern.base.Deadline;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SRV-1")
class CallGateTest {
    private static Deadline in(long millis) {
        return Deadline.after(Duration.ofMillis(millis), Timeout.CALL);
    }

    private static CompletableFuture<Boolean> enter(CallGate gate, Deadline deadline, Cancellation cancellation) {
        var entered = new CompletableFuture<Boolean>();
        Threads.virtual("caller", () -> entered.complete(gate.enter(deadline, cancellation)));
        return entered;
    }

    @Test
    void letsOneInAndTheNextWhenItLeaves() {
        var gate = new CallGate(false);
        assertThat(gate.enter(in(1_000), new Cancellation())).isTrue();

        var second = enter(gate, in(30_000), new Cancellation());
        assertThat(second).isNotDone();
        gate.leave();

        assertThat(second.join()).isTrue();
    }

    @Test
    void keepsTheOrderOfArrival() {
        var gate = new CallGate(false);
        gate.enter(in(1_000), new Cancellation());
        var order = new CopyOnWriteArrayList<Integer>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            var waiter = Threads.virtual("caller", () -> {
                if (gate.enter(in(30_000), new Cancellation())) {
                    order.add(number);
                    gate.leave();
                }
            });
            await().until(() -> waiter.getState() == Thread.State.WAITING);
        }

        gate.leave();

        await().untilAsserted(() -> assertThat(order).isEqualTo(List.of(0, 1, 2, 3, 4)));
    }

    @Test
    void sendsAwayWhoWaitsPastItsDeadlineAndServesTheNext() {
        var gate = new CallGate(false);
        gate.enter(in(1_000), new Cancellation());

        assertThat(gate.enter(in(20), new Cancellation())).isFalse();

        gate.leave();
        assertThat(gate.enter(in(0), new Cancellation())).isTrue();
    }

    @Test
    void sendsAwayWhoCancels() {
        var gate = new CallGate(false);
        gate.enter(in(1_000), new Cancellation());
        var cancellation = new Cancellation();
        var waiting = enter(gate, in(30_000), cancellation);

        cancellation.request();

        assertThat(waiting.join()).isFalse();
    }

    @Test
    void letsEverybodyIntoAParallelServer() {
        var gate = new CallGate(true);

        assertThat(gate.enter(in(0), new Cancellation())).isTrue();
        assertThat(gate.enter(in(0), new Cancellation())).isTrue();
    }
}
