package dev.postern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.ErrorKind;
import dev.postern.base.Problem;
import dev.postern.call.Outcome;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CLI-5")
class ExitCodeTest {
    @ParameterizedTest
    @CsvSource({
        "INTERNAL,1",
        "USAGE,2",
        "CONFIGURATION,3",
        "UNAVAILABLE,4",
        "FAILED,5",
        "UNKNOWN,6",
        "REFUSED,7",
        "CANCELLED,130"
    })
    void givesEachFamilyItsCode(ErrorKind kind, int code) {
        assertThat(ExitCode.of(kind)).isEqualTo(code);
    }

    @Test
    void givesNoTwoFamiliesTheSameCode() {
        assertThat(Arrays.stream(ErrorKind.values()).map(ExitCode::of)).doesNotHaveDuplicates();
    }

    @Test
    void endsWithZeroOnlyWhenTheCallSucceeded() {
        assertThat(ExitCode.of(new Outcome.Succeeded(FakeHost.result("x")))).isZero();
    }

    @Test
    void endsWithFiveWhenTheToolAnsweredAnError() {
        assertThat(ExitCode.of(new Outcome.Failed(problem(ErrorCode.RESULT_ERROR), FakeHost.result())))
                .isEqualTo(5);
    }

    @Test
    void endsWithSevenWhenTheCallWasRefused() {
        assertThat(ExitCode.of(new Outcome.Refused(problem(ErrorCode.POLICY_NOT_ALLOWED))))
                .isEqualTo(7);
    }

    @Test
    void endsWithTwoWhenTheCallWasWronglyUsed() {
        assertThat(ExitCode.of(new Outcome.Refused(problem(ErrorCode.USAGE_UNKNOWN_SERVER))))
                .isEqualTo(2);
    }

    @Test
    void endsWithFourWhenNothingCouldBeSent() {
        assertThat(ExitCode.of(new Outcome.NotSent(problem(ErrorCode.START_EXITED))))
                .isEqualTo(4);
    }

    @Test
    void endsWithSixWhenTheOutcomeIsUnknownWhateverTheCodeOfTheProblem() {
        assertThat(ExitCode.of(new Outcome.Unknown(problem(ErrorCode.UNKNOWN_DEADLINE))))
                .isEqualTo(6);
        assertThat(ExitCode.of(new Outcome.Unknown(problem(ErrorCode.WIRE_CLOSED))))
                .isEqualTo(6);
    }

    @Test
    void endsWith130WhenTheOwnerCancelled() {
        assertThat(ExitCode.of(new Outcome.Unknown(problem(ErrorCode.UNKNOWN_CANCELLED))))
                .isEqualTo(130);
        assertThat(ExitCode.of(new Outcome.NotSent(problem(ErrorCode.CANCELLED))))
                .isEqualTo(130);
    }

    private static Problem problem(ErrorCode code) {
        return new Problem(code, "Seen.", "Next.");
    }
}
