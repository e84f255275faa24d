package dev.postern.config;

import dev.postern.base.WaitSetting;
import java.time.Duration;

/// What one run of an agent may take (RUN-2).
///
/// @param maxTurns how often the model is asked
/// @param maxCalls how many tools are called
/// @param timeout from its start to its end
public record RunLimits(int maxTurns, int maxCalls, Duration timeout) {
    public static final int STANDARD_TURNS = 16;
    public static final int MOST_TURNS = 128;
    public static final int STANDARD_CALLS = 32;
    public static final int MOST_CALLS = 512;
    public static final Duration STANDARD_TIMEOUT = Duration.ofMinutes(10);

    public static final WaitSetting TIMEOUT = new WaitSetting("run", "run.timeout", Duration.ofHours(1));

    public static final RunLimits STANDARD = new RunLimits(STANDARD_TURNS, STANDARD_CALLS, STANDARD_TIMEOUT);
}
