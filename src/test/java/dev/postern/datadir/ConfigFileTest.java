package dev.postern.datadir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Limit;
import dev.postern.base.Problem;
import dev.postern.config.Config;
import dev.postern.config.ConfigText;
import dev.postern.config.Launch;
import dev.postern.config.ServerEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
    private static final String ONE_SERVER =
            "{\"mcpServers\":[{\"id\":\"a\",\"enabled\":true,\"command\":\"bin/x\",\"args\":[],\"tools\":[]}]}";

    @TempDir
    Path temp;

    private long user;
    private DataDirectory directory;
    private ConfigFile file;

    @BeforeEach
    void makeADirectory() throws IOException {
        user = FileFacts.of(temp).owner();
        directory = new DataDirectory(temp.resolve("data"), () -> user);
        directory.create();
        file = new ConfigFile(directory);
    }

    private ConfigFile.Loaded load(Map<String, String> environment) {
        return file.load(environment::get, Path.of("/work"));
    }

    private ConfigFile.Loaded.Ready ready() {
        return load(Map.of()) instanceof ConfigFile.Loaded.Ready ready ? ready : Assertions.fail("not read");
    }

    private Problem refusal() {
        var loaded = load(Map.of());
        return loaded instanceof ConfigFile.Loaded.Unreadable unreadable
                ? unreadable.problem()
                : Assertions.fail("not refused: " + loaded);
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.config(), text);
        mode(directory.config(), "rw-r--r--");
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    @Tag("CFG-1")
    @Tag("DIR-2")
    void takesAMissingFileOrDirectoryForAnEmptyConfigurationAndCreatesNothing() throws IOException {
        assertThat(ready().config()).isEqualTo(Config.EMPTY);
        assertThat(directory.config()).doesNotExist();

        Files.delete(directory.path());
        assertThat(ready().config()).isEqualTo(Config.EMPTY);
        assertThat(directory.path()).doesNotExist();
    }

    @Test
    @Tag("CFG-4")
    void readsTheFileAndResolvesBesideIt() throws IOException {
        write(ONE_SERVER);

        assertThat(ready().config().servers())
                .singleElement()
                .extracting(ServerEntry::launch)
                .isInstanceOfSatisfying(
                        Launch.Stdio.class,
                        stdio -> assertThat(stdio.command())
                                .isEqualTo(directory.path().resolve("bin/x").toString()));
    }

    @Test
    @Tag("CFG-1")
    void namesTheFileInItsProblems() throws IOException {
        write("{\n\"x\":1}");

        assertThat(load(Map.of()))
                .isInstanceOfSatisfying(
                        ConfigFile.Loaded.Invalid.class,
                        invalid -> assertThat(
                                        invalid.rejected().problems().getFirst().text())
                                .startsWith(directory.config() + ":2:1: /x: "));
    }

    @Test
    @Tag("CFG-3")
    @Tag("LIM-2")
    void obeysTheVariables() throws IOException {
        write(ONE_SERVER);
        var loaded = (ConfigFile.Loaded.Ready) load(Map.of("POSTERN_MCP_SERVERS", "[]", "POSTERN_TOOL_BYTES", "77"));

        assertThat(loaded.config().servers()).isEmpty();
        assertThat(loaded.config().limits().get(Limit.RESULT_BYTES)).isEqualTo(77);
    }

    @Test
    @Tag("CFG-5")
    void noticesThatTheFileHasChanged() throws IOException {
        var before = ready().origin();
        assertThat(file.same(before)).isTrue();

        write("{}");
        assertThat(file.same(before)).isFalse();
        var written = ready().origin();
        assertThat(file.same(written)).isTrue();

        write("{ }");
        assertThat(file.same(written)).isFalse();
        Files.delete(directory.config());
        assertThat(file.same(written)).isFalse();
        assertThat(file.same(before)).isTrue();
    }

    @Test
    @Tag("CFG-1")
    void refusesADirectoryAndADeviceInItsPlaceWithoutOpeningThem() throws IOException {
        Files.createDirectory(directory.config());
        assertThat(refusal().code()).isEqualTo(ErrorCode.CONFIG_UNREADABLE);
        assertThat(refusal().message()).endsWith("is not a regular file.");

        Files.delete(directory.config());
        Files.createSymbolicLink(directory.config(), Path.of("/dev/zero"));
        assertThat(refusal().message()).endsWith("is not a regular file.");
    }

    @Test
    @Tag("CFG-1")
    void acceptsTheLargestFileAndRefusesOneByteMore() throws IOException {
        write("{}" + " ".repeat(ConfigText.MAX_BYTES - 2));
        assertThat(ready().config()).isEqualTo(Config.EMPTY);

        write("{}" + " ".repeat(ConfigText.MAX_BYTES - 1));
        assertThat(refusal().message()).contains("larger than the 1048576 bytes");
    }

    @Test
    @Tag("CFG-1")
    void reportsBytesThatAreNotUtf8() throws IOException {
        Files.write(directory.config(), "{\"é\":1}".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(load(Map.of()))
                .isInstanceOfSatisfying(
                        ConfigFile.Loaded.Invalid.class,
                        invalid -> assertThat(
                                        invalid.rejected().problems().getFirst().message())
                                .contains("not UTF-8"));
    }

    @Test
    @Tag("DIR-2")
    void believesNothingInADirectoryThatOthersCanWrite() throws IOException {
        write(ONE_SERVER);
        mode(directory.path(), "rwxrwxrwx");

        assertThat(refusal().code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
    }

    @Test
    @Tag("DIR-2")
    void refusesAFileThatOthersCanReachAndWrite() throws IOException {
        write(ONE_SERVER);
        mode(directory.config(), "rw-rw-r--");
        assertThat(ready().config().servers()).hasSize(1);

        mode(directory.path(), "rwxr-xr-x");
        assertThat(refusal().code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(refusal().next()).isEqualTo("Run: chmod go-w " + directory.config());
    }

    @Test
    @Tag("DIR-2")
    void followsALinkToAFileThatIsInOrder() throws IOException {
        var target = Files.writeString(temp.resolve("dotfile"), ONE_SERVER);
        mode(target, "rw-r--r--");
        Files.createSymbolicLink(directory.config(), target);
        assertThat(ready().config().servers()).hasSize(1);

        mode(target, "rw-rw-r--");
        assertThat(refusal().code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(refusal().next()).isEqualTo("Run: chmod go-w " + target.toRealPath());
    }

    @Test
    @Tag("DIR-2")
    void refusesAFileOfSomebodyElseButNotOfRoot() throws IOException {
        var foreign = new FileFacts(user + 7, 0100600);
        assertThat(ConfigFile.judge(Path.of("/d/config.json"), foreign, new FileFacts(user, 0040700), user))
                .isNotNull()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ErrorCode.DATADIR_UNSAFE));
        assertThat(ConfigFile.judge(Path.of("/d/config.json"), new FileFacts(0, 0100644), null, 1000))
                .isNull();
    }

    @Test
    @Tag("CFG-1")
    void refusesALinkThatLeadsNowhere() throws IOException {
        Files.createSymbolicLink(directory.config(), temp.resolve("missing"));

        assertThat(refusal().message()).contains("leads nowhere");
    }
}
