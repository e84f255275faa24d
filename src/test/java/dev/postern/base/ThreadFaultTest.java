package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
@Tag("SEC-5")
class ThreadFaultTest {
    private final PrintStream usual = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @AfterEach
    void restores() {
        System.setErr(usual);
        Threads.tellFaults(text -> {});
    }

    private void fail() {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        Threads.join(Threads.platform("one", ThreadFaultTest::leak));
        Threads.join(Threads.virtual("two", ThreadFaultTest::leak));
    }

    private static void leak() {
        throw new IllegalStateException("hunter2");
    }

    @Test
    void whatEscapesAThreadIsNotPrinted() {
        fail();

        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void whoeverAskedIsToldItsKindAndPlaceAndNotItsMessage() {
        List<String> told = new CopyOnWriteArrayList<>();
        Threads.tellFaults(told::add);

        fail();

        assertThat(told)
                .hasSize(2)
                .allSatisfy(text -> assertThat(text)
                        .contains("IllegalStateException at dev.postern.base.ThreadFaultTest.leak:")
                        .doesNotContain("hunter2"));
    }
}
