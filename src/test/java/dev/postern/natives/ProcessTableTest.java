package dev.postern.natives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ProcessIdentity;
import dev.postern.natives.ProcessTable.Life;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("PRC-4")
class ProcessTableTest {
    private final ProcessIdentity own = ProcessTable.own();

    @Test
    void knowsThisProcess() {
        assertThat(own.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(ProcessTable.find(own.pid())).isEqualTo(own);
        assertThat(ProcessTable.life(own)).isEqualTo(Life.ALIVE);
    }

    @Test
    void takesAnotherStartTimeForAnotherProcess() {
        assertThat(ProcessTable.life(new ProcessIdentity(own.pid(), own.started() + 1, own.boot(), own.space())))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void takesEveryProcessOfAnotherBootForDead() {
        assertThat(ProcessTable.life(new ProcessIdentity(own.pid(), own.started(), "other", own.space())))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void claimsNothingAboutAnotherNamespace() {
        assertThat(ProcessTable.life(new ProcessIdentity(own.pid(), own.started(), own.boot(), "pid:[1]")))
                .isEqualTo(Life.UNKNOWN);
    }

    @Test
    void claimsNothingWhereTheBootWasNotTold() {
        assertThat(ProcessTable.life(new ProcessIdentity(own.pid(), own.started(), "none", own.space())))
                .isEqualTo(Life.UNKNOWN);
    }

    @Test
    void takesAPidThatIsFreeForDead() {
        assertThat(ProcessTable.life(new ProcessIdentity(Integer.MAX_VALUE, 1, own.boot(), own.space())))
                .isEqualTo(Life.DEAD);
    }

    @Test
    void findsNobodyUnderAPidThatIsFree() {
        assertThat(ProcessTable.find(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void readsItsOwnTextAndNothingElse() {
        assertThat(ProcessIdentity.parse(own.text())).isEqualTo(own);
        assertThat(ProcessIdentity.parse("")).isNull();
        assertThat(ProcessIdentity.parse("0 1 boot pid:[1]")).isNull();
        assertThat(ProcessIdentity.parse(own.text() + "\n")).isNull();
        assertThat(ProcessIdentity.parse("99999999999999999999 1 boot pid:[1]")).isNull();
    }
}
