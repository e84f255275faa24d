package dev.postern.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.base.ErrorCode;
import dev.postern.base.Ids;
import dev.postern.base.Problem;
import dev.postern.base.Retention;
import dev.postern.policy.Mode;
import dev.postern.store.LazyStore;
import dev.postern.store.Owners;
import dev.postern.store.RunRow;
import dev.postern.store.SqliteLibrary;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.testkit.SoleOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableCallLedgerTest {
    private static final Instant FIRST = Instant.parse("2026-11-30T12:00:00Z");
    private static final Retention HALF_AN_HOUR = Retention.byAge(Duration.ofMinutes(30));
    private static final Outcome REFUSED =
            new Outcome.Refused(new Problem(ErrorCode.POLICY_NOT_ALLOWED, "No.", "Ask its owner."));

    private static final Owners OWNERS = new SoleOwner();

    static {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
    }

    @TempDir
    private Path dir;

    private Instant now = FIRST;

    private Store open() throws StoreException {
        return Store.open(dir.resolve("postern.db"), OWNERS, () -> now);
    }

    /// @return the id of the call's run
    private String settle(DurableCallLedger ledger) throws Exception {
        var ids = new Ids(InstantSource.fixed(now));
        var head = new CallHead(ids.call(), new CallHead.Run(ids.run(), true), "s", "t", null, Mode.COMMAND, now);
        ledger.settle(new CallSettlement(head, null, REFUSED, now, 1));
        return head.run().id();
    }

    @Test
    @Tag("STO-2")
    void dropsWhatIsOldWhileItStaysOpenForLong() throws Exception {
        try (var ledger = new DurableCallLedger(new LazyStore(this::open), HALF_AN_HOUR);
                var reader = open()) {
            var old = settle(ledger);
            now = FIRST.plus(Duration.ofMinutes(50));
            var young = settle(ledger);
            assertThat(reader.runs(10, null)).extracting(RunRow::id).containsExactly(young, old);

            now = FIRST.plus(Duration.ofMinutes(70));
            var last = settle(ledger);

            await().untilAsserted(() ->
                    assertThat(reader.runs(10, null)).extracting(RunRow::id).isEqualTo(List.of(last, young)));
        }
    }
}
