package dev.postern.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Answer;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.natives.ProcessTable;
import dev.postern.process.Containment.Kind;
import dev.postern.testkit.LeavesNothingBehind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("PRC-4")
@ExtendWith(LeavesNothingBehind.class)
class LedgerIT {
    private static final LaunchSpec SPEC = Launched.spec("/bin/sh", List.of("-c", "echo up; exec sleep 300"));
    private static final Problem FULL = new Problem(ErrorCode.STORAGE_UNWRITABLE, "The disk is full.", "Make room.");

    @TempDir
    Path data;

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            mode = Mode.EXCLUDE,
            names = {"BWRAP", "UNSHARE"})
    void holdsInstanceThatNothingButItsHostWouldEndUntilNothingIsLeftOfIt(Kind kind) throws IOException {
        var server = Launched.of(new Launcher(Toolbox.system(), kind, new TestPremises(data)), SPEC, Launched.PATIENCE);
        assertThat(server.read()).isEqualTo("up");

        Path file = entries().getFirst();
        var entry = Objects.requireNonNull(LedgerText.parse(Files.readString(file)));
        long pid = server.instance().pid();
        assertThat(entry.owner()).isEqualTo(ProcessTable.own());
        assertThat(entry.instance()).isEqualTo(ProcessTable.find(pid));
        assertThat(entry.marker()).isEqualTo(StopIT.marker(pid));
        assertThat(entry.server()).isEqualTo("it");
        assertThat(entry.session()).isEqualTo(kind == Kind.NONE ? 0 : pid);
        assertThat(entries()).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(new Sweep(new RunLedger(new TestPremises(data))).sweep()).isEmpty();
        assertThat(server.stop()).isEmpty();
        assertThat(entries()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#namespaces")
    void holdsNothingOfInstanceThatTheKernelEndsWithItsHost(Kind kind) throws IOException {
        var server = Launched.of(new Launcher(Toolbox.system(), kind, new TestPremises(data)), SPEC, Launched.PATIENCE);

        assertThat(server.read()).isEqualTo("up");

        assertThat(entries()).isEmpty();
        assertThat(server.stop()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#all")
    void holdsNothingOfProgramThatCouldNotBeStarted(Kind kind) throws IOException {
        Path program = Files.writeString(data.resolve("broken"), "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        var launcher = new Launcher(Toolbox.system(), kind, new TestPremises(data.resolve("postern")));

        var launch = launcher.launch(
                Launched.spec(program.toString(), List.of()), new Launched(), Launched.PATIENCE, Launched.deadline(20));

        assertThat(launch).isInstanceOf(Launcher.Launch.Failed.class);
        assertThat(data.resolve("postern/run")).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.process.Kinds#all")
    void nothingIsStartedThatCouldBeLeftBehindUnnoticed(Kind kind) {
        var launcher = new Launcher(Toolbox.system(), kind, new Premises() {
            @Override
            public Path directory() {
                return data;
            }

            @Override
            public Path run() {
                return data.resolve("run");
            }

            @Override
            public Answer<Path> makeRun() {
                return new Answer.Not<>(FULL);
            }
        });
        var listener = new Launched();

        var launch = launcher.launch(SPEC, listener, Launched.PATIENCE, Launched.deadline(20));

        switch (launch) {
            case Launcher.Launch.Failed failed -> {
                assertThat(kind.namespace()).isFalse();
                assertThat(failed.problem()).isEqualTo(FULL);
            }
            case Launcher.Launch.Started started -> {
                assertThat(kind.namespace()).isTrue();
                assertThat(started.instance().stop(Launched.deadline(0))).isEmpty();
            }
        }
    }

    private List<Path> entries() throws IOException {
        try (var all = Files.list(data.resolve("run"))) {
            return all.toList();
        }
    }
}
