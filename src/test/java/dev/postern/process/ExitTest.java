package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("PRC-6")
class ExitTest {
    @Test
    void describesCodesAndSignals() {
        assertThat(new Exit(0).describe()).isEqualTo("ended with exit code 0");
        assertThat(new Exit(127).describe()).isEqualTo("ended with exit code 127");
        assertThat(new Exit(128).describe()).isEqualTo("ended with exit code 128");
        assertThat(new Exit(139).describe()).isEqualTo("was ended by SIGSEGV (status 139)");
        assertThat(new Exit(143).signal()).isEqualTo("SIGTERM");
        assertThat(new Exit(255).signal()).isNull();
    }
}
