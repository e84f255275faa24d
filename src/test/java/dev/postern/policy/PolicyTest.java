package dev.postern.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.policy.Decision.Allow;
import dev.postern.policy.Decision.Ask;
import dev.postern.policy.Decision.Reason;
import dev.postern.policy.Decision.Refuse;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// FAULTS 36: the decision matrix.
@Tag("T36")
class PolicyTest {
    private static ServerRule rule(boolean enabled, boolean auto) {
        return new ServerRule("files", enabled, Set.of("read", "write"), Set.of("read"), auto);
    }

    @ParameterizedTest
    @CsvSource({
        "COMMAND, read, false, EXPLICIT_COMMAND, Allow",
        "COMMAND, write, false, EXPLICIT_COMMAND, Allow",
        "COMMAND, write, true, EXPLICIT_COMMAND, Allow",
        "COMMAND, delete, true, NOT_ALLOWED, Refuse",
        "CHAT, read, false, REVIEWED_READ_ONLY, Allow",
        "CHAT, write, false, APPROVAL_ASK, Ask",
        "CHAT, write, true, APPROVAL_AUTO, Allow",
        "CHAT, delete, true, NOT_ALLOWED, Refuse",
        "API, read, false, REVIEWED_READ_ONLY, Allow",
        "API, write, false, APPROVAL_ASK, Ask",
        "API, write, true, APPROVAL_AUTO, Allow",
        "API, delete, true, NOT_ALLOWED, Refuse",
        "SCHEDULED, read, false, REVIEWED_READ_ONLY, Allow",
        "SCHEDULED, write, false, NOT_SCHEDULED, Refuse",
        "SCHEDULED, write, true, NOT_SCHEDULED, Refuse",
        "SCHEDULED, delete, true, NOT_ALLOWED, Refuse"
    })
    @Tag("CAL-1")
    @Tag("APR-3")
    @Tag("CAT-2")
    void decidesByRuleAndMode(Mode mode, String tool, boolean auto, Reason reason, String kind) {
        var decision = Policy.decide(rule(true, auto), tool, mode);

        assertThat(decision.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(reason(decision)).isEqualTo(reason);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void refusesEverythingOfADisabledServer(Mode mode) {
        var decision = Policy.decide(rule(false, true), "read", mode);

        assertThat(decision).isInstanceOfSatisfying(Refuse.class, refuse -> {
            assertThat(refuse.reason()).isEqualTo(Reason.SERVER_DISABLED);
            assertThat(refuse.problem().code()).isEqualTo(ErrorCode.POLICY_DISABLED);
        });
    }

    @Test
    @Tag("CAT-2")
    void matchesToolNamesExactly() {
        for (var near : new String[] {"Read", "read ", "rea", "read\u200B", ""}) {
            assertThat(Policy.decide(rule(true, true), near, Mode.COMMAND))
                    .as(near)
                    .isInstanceOf(Refuse.class);
        }
    }

    @Test
    void tellsWhatToAddToAllowATool() {
        var refuse = (Refuse) Policy.decide(rule(true, false), "delete", Mode.COMMAND);

        assertThat(refuse.problem().message()).contains("\"delete\"", "\"files\"", "Nothing was sent");
        assertThat(refuse.problem().next()).contains("mcp discover files", "config.json");
    }

    private static Reason reason(Decision decision) {
        return switch (decision) {
            case Allow allow -> allow.reason();
            case Ask ask -> ask.reason();
            case Refuse refuse -> refuse.reason();
        };
    }
}
