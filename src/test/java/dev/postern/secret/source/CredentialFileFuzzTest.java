package dev.postern.secret.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.testkit.Cost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/// Any bytes in a credential file.
@Tag("F9")
@Tag("SEC-3")
class CredentialFileFuzzTest {
    @FuzzTest
    @Timeout(60)
    void readsASecretOrSaysWhatIsWrongInItsOwnWords(byte[] data) {
        switch (Cost.within(65_536 + 64L * data.length, () -> CredentialFile.parse(data, "k"))) {
            case CredentialFile.Parsed.Key key -> {
                assertThat(CredentialFile.unfit(key.value())).isNull();
                assertThat(CredentialFile.parse(CredentialFile.format("k", key.value()), "k"))
                        .isEqualTo(key);
            }
            case CredentialFile.Parsed.Wrong wrong -> assertThat(wrong.what()).matches("[ -~]{1,200}");
        }
    }
}
