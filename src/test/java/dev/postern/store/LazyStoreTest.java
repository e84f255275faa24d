package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.base.ErrorCode;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LazyStoreTest {
    @TempDir
    Path directory;

    @Test
    @Tag("STO-3")
    @Timeout(60)
    void failsWhereThereIsNoThreadToOpenItAndIsOpenedByTheNextWhoAsks() throws Exception {
        var asked = new AtomicInteger();
        try (var lazy = new LazyStore(() -> Stores.open(directory.resolve("postern.db")), work -> {
            if (asked.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            work.run();
        })) {
            var failure = catchThrowableOfType(StoreException.class, lazy::get);

            assertThat(failure.problem().code()).isEqualTo(ErrorCode.INTERNAL);
            assertThat(lazy.ifOpen()).isNull();
            assertThat(lazy.get().runs(1, null)).isEmpty();
        }
    }
}
