package dev.postern.datadir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.ErrorKind;
import dev.postern.base.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.function.LongSupplier;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoryTest {
    @TempDir
    Path temp;

    private long user;
    private DataDirectory directory;

    @BeforeEach
    void knowWhoWeAre() throws IOException {
        user = FileFacts.of(temp).owner();
        directory = at(temp.resolve("data"));
    }

    private DataDirectory at(Path path) {
        return new DataDirectory(path, () -> user);
    }

    private static Problem refusal(DataDirectory.Checked checked) {
        return checked instanceof DataDirectory.Checked.Refused refused
                ? refused.problem()
                : Assertions.fail("not refused: " + checked);
    }

    private static Problem refusal(@Nullable Problem problem) {
        return problem == null ? Assertions.fail("not refused") : problem;
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @ParameterizedTest
    @CsvSource({
        "/flag, /variable, /xdg, /home/me, Linux, /flag",
        "rel, /variable, /xdg, /home/me, Linux, /where/rel",
        "., , , , Linux, /where",
        ", /variable, /xdg, /home/me, Linux, /variable",
        ", rel, , , Linux, /where/rel",
        ", , /xdg, /home/me, Linux, /xdg/postern",
        ", , relative, /home/me, Linux, /home/me/.local/share/postern",
        ", , '', /home/me, Linux, /home/me/.local/share/postern",
        ", , , /home/me, Linux, /home/me/.local/share/postern",
        ", , /xdg, /Users/me, Mac OS X, /Users/me/Library/Application Support/Postern",
        ", /variable, , /Users/me, Mac OS X, /variable"
    })
    @Tag("DIR-1")
    void isWhereTheFlagTheVariableOrTheSystemSays(
            @Nullable String flag,
            @Nullable String variable,
            @Nullable String xdg,
            @Nullable String home,
            String system,
            String expected) {
        var located = locate(flag, variable, xdg, home, system);

        assertThat(located)
                .isInstanceOfSatisfying(
                        DataDirectory.Located.Found.class,
                        found -> assertThat(found.directory().path()).isEqualTo(Path.of(expected)));
    }

    @ParameterizedTest
    @CsvSource({
        "'', , , /home/me, --data-dir is empty",
        "~/x, , , /home/me, begins with ~",
        ", '', , /home/me, POSTERN_DATA_DIR is empty",
        ", ~, , /home/me, begins with ~",
        ", , , , HOME is not set",
        ", , , '', HOME is not an absolute path",
        ", , , home, HOME is not an absolute path"
    })
    @Tag("DIR-1")
    void isNowhereWhenNothingSaysWhere(
            @Nullable String flag,
            @Nullable String variable,
            @Nullable String xdg,
            @Nullable String home,
            String message) {
        assertThat(locate(flag, variable, xdg, home, "Linux"))
                .isInstanceOfSatisfying(DataDirectory.Located.Nowhere.class, nowhere -> {
                    assertThat(nowhere.problem().message()).contains(message);
                    assertThat(nowhere.problem().code().kind()).isEqualTo(ErrorKind.CONFIGURATION);
                });
    }

    private static DataDirectory.Located locate(
            @Nullable String flag,
            @Nullable String variable,
            @Nullable String xdg,
            @Nullable String home,
            String system) {
        var environment = new HashMap<String, @Nullable String>();
        environment.put("POSTERN_DATA_DIR", variable);
        environment.put("XDG_DATA_HOME", xdg);
        environment.put("HOME", home);
        LongSupplier nobodyAsks = () -> Assertions.fail("asked for the user");
        return DataDirectory.locate(flag, environment::get, system, Path.of("/where"), nobodyAsks);
    }

    @Test
    @Tag("DIR-2")
    void isNotCreatedByLookingAtIt() {
        assertThat(directory.check()).isInstanceOf(DataDirectory.Checked.Absent.class);
        assertThat(directory.path()).doesNotExist();
    }

    @Test
    @Tag("DIR-2")
    void isCreatedForItsOwnerAloneWithItsParents() throws IOException {
        var nested = at(temp.resolve("a/b/data"));

        assertThat(nested.create()).isNull();
        assertThat(nested.check()).isInstanceOf(DataDirectory.Checked.Ready.class);
        for (var path : new Path[] {temp.resolve("a"), temp.resolve("a/b"), nested.path()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
        }
        assertThat(nested.create()).isNull();
    }

    @Test
    @Tag("DIR-3")
    void makesRunForItsOwnerAlone() throws IOException {
        assertThat(directory.checkRun()).isInstanceOf(DataDirectory.Checked.Absent.class);
        assertThat(directory.createRun()).isNull();

        for (var path : new Path[] {directory.path(), directory.run()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
        }
        assertThat(directory.checkRun()).isInstanceOf(DataDirectory.Checked.Ready.class);
        assertThat(directory.run()).isEqualTo(directory.path().resolve("run"));
        assertThat(directory.config()).isEqualTo(directory.path().resolve("config.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxr-x---", "rwx---r--", "rwx-----x"})
    @Tag("DIR-3")
    void refusesARunDirectoryThatIsOpenToOthers(String mode) throws IOException {
        directory.createRun();
        mode(directory.run(), mode);

        assertThat(refusal(directory.checkRun()).next()).isEqualTo("Run: chmod 700 " + directory.run());
        assertThat(refusal(directory.createRun())).isEqualTo(refusal(directory.checkRun()));
    }

    @Test
    @Tag("DIR-3")
    void refusesARunDirectoryInADirectoryThatIsRefused() throws IOException {
        directory.createRun();
        mode(directory.path(), "rwxrwxrwx");

        assertThat(refusal(directory.checkRun())).isEqualTo(refusal(directory.check()));
    }

    @Test
    @Tag("DIR-1")
    void goesWhereALinkLeadsBeforeItGoesUp() throws IOException {
        var elsewhere = Files.createDirectories(temp.resolve("elsewhere/inner"));
        Files.createSymbolicLink(temp.resolve("link"), elsewhere);
        var located = DataDirectory.locate("link/../data", name -> null, "Linux", temp, () -> user);

        assertThat(located).isInstanceOfSatisfying(DataDirectory.Located.Found.class, found -> {
            assertThat(found.directory().create()).isNull();
            assertThat(temp.resolve("elsewhere/data")).isDirectory();
            assertThat(temp.resolve("data")).doesNotExist();
        });
    }

    @Test
    @Tag("DIR-3")
    void refusesARunDirectoryThatIsALink() throws IOException {
        directory.create();
        Files.createSymbolicLink(directory.run(), temp);

        assertThat(refusal(directory.createRun()).message()).contains("is a symbolic link");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
    @Tag("DIR-2")
    void refusesADirectoryThatOthersCanWriteAndSaysWhatToRun(String mode) throws IOException {
        directory.create();
        mode(directory.path(), mode);
        var problem = refusal(directory.check());

        assertThat(problem.code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(problem.next()).isEqualTo("Run: chmod 700 " + directory.path());
        assertThat(refusal(directory.create())).isEqualTo(problem);
        mode(directory.path(), "rwxr-xr-x");
        assertThat(directory.check()).isInstanceOf(DataDirectory.Checked.Ready.class);
    }

    @Test
    @Tag("DIR-2")
    void refusesADirectoryOfSomebodyElseAndSaysWhatToRun() {
        directory.create();
        long owner = user;
        user = owner + 1;
        var problem = refusal(directory.check());

        assertThat(problem.code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(problem.code().kind()).isEqualTo(ErrorKind.CONFIGURATION);
        assertThat(problem.message()).contains("belongs to user " + owner + ", and this is user " + user);
        assertThat(problem.next()).endsWith("sudo chown " + user + " " + directory.path());
    }

    @Test
    @Tag("DIR-2")
    void quotesPathsInCommandsToCopy() throws IOException {
        var odd = at(temp.resolve("it's $HOME"));
        odd.create();
        mode(odd.path(), "rwxrwxrwx");

        assertThat(refusal(odd.check()).next()).isEqualTo("Run: chmod 700 '" + temp + "/it'\\''s $HOME'");
    }

    @Test
    @Tag("DIR-2")
    void acceptsALinkToADirectoryThatIsInOrder() throws IOException {
        directory.create();
        var link = at(Files.createSymbolicLink(temp.resolve("link"), directory.path()));

        assertThat(link.check()).isInstanceOf(DataDirectory.Checked.Ready.class);
        mode(directory.path(), "rwxrwxrwx");
        assertThat(refusal(link.check()).code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }

    @Test
    void refusesALinkThatLeadsNowhere() throws IOException {
        var link = at(Files.createSymbolicLink(temp.resolve("link"), temp.resolve("missing")));

        assertThat(refusal(link.check()).message()).contains("leads nowhere");
        assertThat(refusal(link.create()).code()).isEqualTo(ErrorCode.DATADIR_UNUSABLE);
        assertThat(temp.resolve("missing")).doesNotExist();
    }

    @Test
    void refusesALinkThatLeadsToItself() throws IOException {
        Files.createSymbolicLink(directory.path(), directory.path());

        assertThat(refusal(directory.check()).message()).contains("can't be looked at");
    }

    @Test
    void refusesAFileInItsPlaceAndInThePlaceOfAParent() throws IOException {
        Files.writeString(directory.path(), "");

        assertThat(refusal(directory.check()).message()).endsWith("is not a directory.");
        assertThat(refusal(directory.create()).code()).isEqualTo(ErrorCode.DATADIR_UNUSABLE);
        assertThat(refusal(at(directory.path().resolve("below")).check()).message())
                .contains("since " + directory.path() + " is not a directory");
    }

    @Test
    void refusesADirectoryThatItsOwnerCantRead() throws IOException {
        directory.create();
        mode(directory.path(), "-w-------");
        var problem = refusal(directory.check());
        mode(directory.path(), "rwx------");

        assertThat(problem.message()).contains("can't be read by its owner (mode 0200)");
        assertThat(problem.next()).isEqualTo("Run: chmod 700 " + directory.path());
    }

    @Test
    void saysWhyItCantBeCreated() {
        var problem = refusal(at(Path.of("/proc/postern-test/data")).create());

        assertThat(problem.message()).contains("can't be created");
        assertThat(problem.next()).contains("--data-dir");
    }

    @Test
    @Tag("STO-3")
    void namesTheDirectoryWhereItIsReadOnly() throws IOException {
        directory.create();
        mode(directory.path(), "r-x------");
        var problem = refusal(directory.create());
        var database = refusal(directory.checkDatabase(true));
        var run = refusal(directory.createRun());
        var looked = directory.checkDatabase(false);
        mode(directory.path(), "rwx------");

        assertThat(problem.message())
                .isEqualTo(
                        "The data directory " + directory.path() + " can't be written: it is read-only (mode 0500).");
        assertThat(problem.next()).startsWith("Run: chmod 700 " + directory.path());
        assertThat(List.of(database, run)).containsOnly(problem);
        assertThat(looked).isInstanceOf(DataDirectory.Checked.Absent.class);
    }

    @Test
    @Tag("STO-3")
    void namesRunWhereOnlyThatIsReadOnly() throws IOException {
        directory.createRun();
        mode(directory.run(), "r-x------");
        var problem = refusal(directory.createRun());
        mode(directory.run(), "rwx------");

        assertThat(problem.message())
                .isEqualTo("The directory " + directory.run() + " can't be written: it is read-only (mode 0500).");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tmp", "/var/tmp", "/usr", "/home/postern-nobody-has-this-name"})
    @Tag("DIR-2")
    void advisesNobodyToTakeOverAPlaceThatServesOthers(String place) {
        var facts = new FileFacts(user + 1, 0041777);

        assertThat(SharedPlace.is(Path.of(place), facts)).isTrue();
        assertThat(SharedPlace.is(Path.of(System.getProperty("user.home")), new FileFacts(user, 0040775)))
                .isTrue();
    }

    @Test
    @Tag("DIR-2")
    void advisesNobodyToCloseADirectoryThatHoldsOnlyOtherThings() throws IOException {
        directory.create();
        mode(directory.path(), "rwxrwxrwx");
        Files.writeString(directory.path().resolve("thesis.tex"), "");
        var problem = refusal(directory.check());

        assertThat(problem.code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(problem.next()).contains("--data-dir").doesNotContain("chmod", "chown");
        Files.writeString(directory.config(), "{}");
        assertThat(refusal(directory.check()).next()).isEqualTo("Run: chmod 700 " + directory.path());
    }

    @Test
    @Tag("DIR-2")
    void advisesNobodyToTakeOverATemporaryDirectoryOfAll() throws IOException {
        directory.create();
        Files.setAttribute(directory.path(), "unix:mode", 01777);
        user++;
        var problem = refusal(directory.check());

        assertThat(problem.message()).contains("belongs to user");
        assertThat(problem.next()).contains("--data-dir").doesNotContain("chmod", "chown");
    }
}
