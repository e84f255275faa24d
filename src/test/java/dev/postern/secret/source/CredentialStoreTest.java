package dev.postern.secret.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Names;
import dev.postern.base.Problem;
import dev.postern.datadir.DataDirectory;
import dev.postern.natives.Directory;
import dev.postern.natives.Users;
import dev.postern.secret.source.CredentialStore.Entry;
import dev.postern.secret.source.CredentialStore.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SEC-2")
class CredentialStoreTest {
    private static final String GOOD = "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"}";

    @TempDir
    Path temporary;

    private Path data;
    private Path auth;
    private Path file;
    private CredentialStore store;

    @BeforeEach
    void makeDirectories() throws IOException {
        data = directory(temporary.resolve("data"), "rwx------");
        auth = directory(data.resolve("auth"), "rwx------");
        file = auth.resolve("github.json");
        store = new CredentialStore(data, () -> null);
    }

    @Test
    void readsAProtectedFile() throws IOException {
        put(GOOD);

        assertThat(found()).isEqualTo("hunter2-hunter2");
    }

    @Test
    void acceptsAnyOrderAndSpacing() throws IOException {
        put("\n{ \"key\" : \"a\\u0062c \\n\\\"\" ,\n\"provider\":\"github\", \"version\":1 }\n\n");

        assertThat(found()).isEqualTo("abc \n\"");
    }

    @Test
    @Tag("SEC-3")
    void saysHowToStoreAMissingCredential() {
        assertThat(store.read("github")).isInstanceOfSatisfying(Reading.Missing.class, missing -> {
            assertThat(missing.problem().code()).isEqualTo(ErrorCode.SECRET_MISSING);
            assertThat(missing.problem().message()).contains(file.toString());
            assertThat(missing.problem().next()).contains("postern credential set github");
        });
    }

    @Test
    void findsNothingWhereThereIsNoDirectory() throws IOException {
        Files.delete(auth);
        assertThat(store.read("github")).isInstanceOf(Reading.Missing.class);
        Files.delete(data);
        assertThat(store.read("github")).isInstanceOf(Reading.Missing.class);
        assertThat(store.list().entries()).isEmpty();
        assertThat(data).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a_b", "../x", "a/b", "-a", "1a", "a.json", "a\n", "\u00e9", "a\u0000"})
    void refusesNamesOfAnotherForm(String name) {
        assertThat(Names.isId(name)).isFalse();
        assertThat(store.read(name)).isInstanceOf(Reading.Refused.class);
        assertThat(store.write(name, "hunter2-hunter2")).isNotNull();
        assertThat(store.remove(name)).isNotNull();
        assertThat(auth).isEmptyDirectory();
    }

    @Test
    void takesNamesOfSixtyFourCharactersAtMost() {
        assertThat(Names.isId("a".repeat(64))).isTrue();
        assertThat(Names.isId("a".repeat(65))).isFalse();
    }

    @ParameterizedTest
    @Tag("K31")
    @ValueSource(
            strings = {
                "rw-r-----",
                "rw----r--",
                "rw--w----",
                "rw-rw-rw-",
                "rw-----w-",
                "rwx------",
                "r--------",
                "---------"
            })
    void refusesAFileOfAnotherMode(String mode) throws IOException {
        put(GOOD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        assertRefused("instead of 0600", "chmod 600 " + file);
    }

    @ParameterizedTest
    @Tag("K31")
    @ValueSource(strings = {"rwxrwx---", "rwx---r-x", "rwx--x---", "rwxrwxrwx", "rw-------"})
    void refusesAnAuthDirectoryOfAnotherMode(String mode) throws IOException {
        put(GOOD);
        Files.setPosixFilePermissions(auth, PosixFilePermissions.fromString(mode));

        assertRefused(auth + " ", "chmod 700 " + auth);
    }

    @ParameterizedTest
    @Tag("K31")
    @ValueSource(strings = {"rwxrwx---", "rwx-w----", "rwx----w-"})
    void refusesADataDirectoryThatOthersCanWriteTo(String mode) throws IOException {
        put(GOOD);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString(mode));

        assertRefused("can be written to by other users", "chmod go-w " + data);
    }

    @Test
    @Tag("K31")
    void refusesASymbolicLink() throws IOException {
        put(GOOD);
        Files.move(file, auth.resolve("other.json"));
        Files.createSymbolicLink(file, Path.of("other.json"));

        assertRefused("is a symbolic link", "rm " + file);
    }

    @Test
    @Tag("K31")
    void refusesASymbolicLinkInPlaceOfTheAuthDirectory() throws IOException {
        put(GOOD);
        Files.move(auth, data.resolve("elsewhere"));
        Files.createSymbolicLink(auth, Path.of("elsewhere"));

        assertRefused("is a symbolic link", "mv " + auth);
    }

    @Test
    @Tag("K31")
    void refusesAFileInPlaceOfTheAuthDirectory() throws IOException {
        Files.delete(auth);
        Files.createFile(auth);

        assertRefused("is a regular file", "mv " + auth);
    }

    @Test
    @Tag("K31")
    void refusesAFileWithASecondName() throws IOException {
        put(GOOD);
        Files.createLink(data.resolve("second"), file);

        assertRefused("has 2 names", "rm " + file);
    }

    @Test
    @Tag("K31")
    void refusesADirectoryInPlaceOfAFile() throws IOException {
        Files.createDirectory(file);

        assertRefused("is a directory", "rm -r " + file);
    }

    @Test
    @Tag("K31")
    void refusesFilesOfSomeoneElse() throws IOException {
        put(GOOD);
        var stranger = new CredentialStore(data, () -> null, Directory::open, Users.effectiveId() + 1);

        assertThat(stranger.read("github"))
                .isInstanceOfSatisfying(
                        Reading.Refused.class,
                        refused -> assertThat(refused.problem().message()).contains("belongs to the user with id"));
    }

    @Test
    @Tag("K31")
    void refusesAFileOverFourKibibytes() throws IOException {
        put(GOOD + " ".repeat(4_097 - GOOD.length()));
        assertRefused("has 4097 bytes, over the limit of 4096", "postern credential set github");

        put(GOOD + " ".repeat(4_096 - GOOD.length()));
        assertThat(found()).isEqualTo("hunter2-hunter2");
    }

    @Test
    @Tag("K31")
    void noticesAFileReplacedBeforeItIsOpened() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_OPENING, () -> replaceFile(GOOD));

        assertRefused(swapping, "was replaced");
    }

    @Test
    @Tag("K31")
    void noticesALinkThatTookThePlaceBeforeItIsOpened() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_OPENING, () -> {
            Files.move(file, auth.resolve("moved.json"));
            Files.createSymbolicLink(file, Path.of("moved.json"));
        });

        assertRefused(swapping, "was replaced");
    }

    @Test
    @Tag("K31")
    void noticesAFileReplacedWhileItIsRead() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_READING, () -> replaceFile(GOOD));

        assertRefused(swapping, "was replaced");
    }

    @Test
    @Tag("K31")
    void noticesAFileRemovedWhileItIsRead() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_READING, () -> Files.delete(file));

        assertRefused(swapping, "was replaced");
    }

    @Test
    @Tag("K31")
    void noticesAFileWrittenToWhileItIsRead() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_READING, () -> Files.writeString(file, GOOD + "\n"));

        assertRefused(swapping, "was changed");
    }

    @Test
    @Tag("K31")
    void noticesAFileOpenedToOthersBeforeItIsOpened() throws IOException {
        put(GOOD);
        var swapping = swapping(
                Moment.BEFORE_OPENING,
                () -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--")));

        assertRefused(swapping, "is open to other users");
    }

    @Test
    @Tag("K31")
    void noticesAnAuthDirectoryReplacedBeforeItIsOpened() throws IOException {
        put(GOOD);
        var swapping = swapping(Moment.BEFORE_OPENING_DIRECTORY, () -> {
            Files.move(auth, data.resolve("moved"));
            directory(auth, "rwx------");
            put(GOOD);
        });

        assertRefused(swapping, auth + " was replaced");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | is empty",
                "` ` | is empty",
                "[] | is not a JSON object",
                "\"hunter2-hunter2\" | is not a JSON object",
                "hunter2-hunter2 | is not valid JSON",
                "{ | is not valid JSON",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\" | is not valid JSON",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\",} | is not valid JSON",
                "{'version':1} | is not valid JSON",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"}x | has text after",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"}{} | has text after",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\",\"hunter2-hunter2\":1} | has a key that is none of",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\",\"key\":\"x\"} | says \"key\" twice",
                "{\"version\":1,\"version\":1} | says \"version\" twice",
                "{\"version\":2,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"} | has a \"version\" that is not the number 1",
                "{\"version\":1.0,\"provider\":\"github\",\"key\":\"hunter2-hunter2\"} | has a \"version\" that is not the number 1",
                "{\"version\":\"1\",\"provider\":\"github\",\"key\":\"hunter2-hunter2\"} | has a \"version\" that is not the number 1",
                "{\"version\":1,\"provider\":\"hunter2-hunter2\",\"key\":\"x\"} | has a \"provider\" that is not \"github\"",
                "{\"version\":1,\"provider\":null,\"key\":\"hunter2-hunter2\"} | has a \"provider\" that is not \"github\"",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"\"} | has a \"key\" that is empty",
                "{\"version\":1,\"provider\":\"github\",\"key\":\" \"} | has a \"key\" that holds only white space",
                "{\"version\":1,\"provider\":\"github\",\"key\":{\"a\":\"hunter2-hunter2\"}} | has a \"key\" that is not a string",
                "{\"version\":1,\"provider\":\"github\",\"key\":12345678} | has a \"key\" that is not a string",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\\u0000\"} | has a NUL",
                "{\"version\":1,\"provider\":\"github\",\"key\":\"hunter2-hunter2\\ud800\"} | has an unpaired surrogate",
                "{\"version\":1,\"provider\":\"github\"} | has no \"key\"",
                "{\"version\":1,\"key\":\"hunter2-hunter2\"} | has no \"provider\"",
                "{\"provider\":\"github\",\"key\":\"hunter2-hunter2\"} | has no \"version\"",
                "{} | has no \"version\""
            })
    void refusesTextOfAnotherFormWithoutShowingIt(String text, String reason) throws IOException {
        put(text);

        var problem = refused(store);
        assertThat(problem.message()).contains(reason).contains(file.toString());
        assertThat(problem.next()).contains("postern credential set github");
    }

    @Test
    void refusesTextThatIsNotUtf8() throws IOException {
        put("");
        Files.write(file, GOOD.replace("hunter2", "h\u00fcnter2").getBytes(StandardCharsets.ISO_8859_1));
        assertRefused("is not UTF-8 text", "postern credential set github");

        Files.write(file, GOOD.getBytes(StandardCharsets.UTF_16));
        assertRefused("is not UTF-8 text", "postern credential set github");

        Files.writeString(file, "\uFEFF" + GOOD);
        assertRefused("starts with a byte order mark", "postern credential set github");
    }

    @Test
    @Tag("SEC-6")
    void writesWhatItReads() throws IOException {
        var key = "a\"b\\c/\n\u0001\u20ac\uD83D\uDD11 ";

        assertThat(store.write("github", key)).isNull();
        assertThat(found()).isEqualTo(key);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(store.write("github", "another-secret")).isNull();
        assertThat(found()).isEqualTo("another-secret");
        assertThat(auth).isDirectoryContaining(path -> path.equals(file));
        try (var files = Files.list(auth)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    @Tag("SEC-6")
    void makesItsDirectoriesWhenItWrites() throws IOException {
        var fresh = temporary.resolve("a/b/postern");

        var made = new DataDirectory(fresh, Users::effectiveId);
        assertThat(new CredentialStore(fresh, made::create).write("github", "hunter2-hunter2"))
                .isNull();
        for (var directory : new Path[] {fresh, fresh.resolve("auth")}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    @Tag("DIR-2")
    void writesNothingWhereTheDataDirectoryCannotBeMade() {
        var problem = new Problem(ErrorCode.DATADIR_UNUSABLE, "It can't be created.", "Choose another one.");
        var fresh = temporary.resolve("fresh");

        assertThat(new CredentialStore(fresh, () -> problem).write("github", "hunter2-hunter2"))
                .isEqualTo(problem);
        assertThat(fresh).doesNotExist();
    }

    @Test
    @Tag("SEC-6")
    void doesNotWriteThroughALink() throws IOException {
        var target = Files.writeString(temporary.resolve("target"), "untouched");
        Files.createSymbolicLink(file, target);

        assertThat(store.write("github", "hunter2-hunter2")).isNull();
        assertThat(target).hasContent("untouched");
        assertThat(found()).isEqualTo("hunter2-hunter2");
    }

    @Test
    @Tag("SEC-6")
    void doesNotWriteIntoAnUnsafeDirectory() throws IOException {
        Files.setPosixFilePermissions(auth, PosixFilePermissions.fromString("rwxrwx---"));

        var problem = requireNonNull(store.write("github", "hunter2-hunter2"));
        assertThat(problem.code()).isEqualTo(ErrorCode.DATADIR_UNSAFE);
        assertThat(auth).isEmptyDirectory();

        Files.delete(auth);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(store.write("github", "hunter2-hunter2")).isNotNull();
        assertThat(auth).doesNotExist();
    }

    @Test
    @Tag("SEC-6")
    void leavesNothingBehindWhenItCannotReplace() throws IOException {
        directory(file, "rwx------");

        var problem = requireNonNull(store.write("github", "hunter2-hunter2"));
        assertThat(problem.code()).isEqualTo(ErrorCode.STORAGE_UNWRITABLE);
        try (var files = Files.list(auth)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @Tag("SEC-6")
    void refusesToStoreWhatItWouldRefuseToRead() {
        for (var key : new String[] {"", "  \n", "a\u0000b", "a\uD800", "x".repeat(4_096)}) {
            var problem = requireNonNull(store.write("github", key));
            assertThat(problem.code()).isEqualTo(ErrorCode.USAGE_CREDENTIAL);
        }
        assertThat(auth).isEmptyDirectory();
    }

    @Test
    @Tag("SEC-6")
    void listsNamesAndProblemsButNoValues() throws IOException {
        store.write("zebra", "hunter2-hunter2");
        store.write("alpha", "hunter2-hunter2");
        put(GOOD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(auth.resolve("bad\u001b[1m.json"), GOOD);
        Files.writeString(auth.resolve(".new-12"), GOOD);

        var listing = store.list();
        assertThat(listing.problem()).isNull();
        assertThat(listing.entries())
                .extracting(Entry::name)
                .containsExactly(".new-12", "alpha", "bad\\u{1B}[1m.json", "github", "zebra");
        assertThat(listing.entries())
                .filteredOn(entry -> entry.problem() == null)
                .extracting(Entry::name)
                .containsExactly("alpha", "zebra");
        assertThat(listing.toString()).doesNotContain("hunter2").doesNotContain("\u001b");
    }

    @Test
    @Tag("SEC-6")
    void changesNothingWhenItListsOrReads() throws IOException {
        Files.delete(auth);

        store.list();
        store.read("github");
        assertThat(auth).doesNotExist();
    }

    @Test
    @Tag("SEC-6")
    void removesExactlyTheOneNamed() throws IOException {
        store.write("github", "hunter2-hunter2");
        store.write("github-2", "hunter2-hunter2");

        assertThat(store.remove("github")).isNull();
        assertThat(store.list().entries()).extracting(Entry::name).containsExactly("github-2");
        var again = requireNonNull(store.remove("github"));
        assertThat(again.code()).isEqualTo(ErrorCode.USAGE_CREDENTIAL);
    }

    @Test
    @Tag("SEC-6")
    void removesALinkAndNotItsTarget() throws IOException {
        var target = Files.writeString(temporary.resolve("target"), "untouched");
        Files.createSymbolicLink(file, target);

        assertThat(store.remove("github")).isNull();
        assertThat(file).doesNotExist();
        assertThat(target).hasContent("untouched");
    }

    private String found() {
        assertThat(store.read("github")).isInstanceOf(Reading.Found.class);
        return store.read("github") instanceof Reading.Found found
                ? found.value().reveal()
                : "";
    }

    private void assertRefused(String message, String next) {
        assertThat(refused(store).message()).contains(message);
        assertThat(refused(store).next()).contains(next);
    }

    private static void assertRefused(CredentialStore store, String message) {
        assertThat(refused(store).message()).contains(message);
    }

    private static Problem refused(CredentialStore store) {
        var reading = store.read("github");
        assertThat(reading).isInstanceOf(Reading.Refused.class);
        var problem = ((Reading.Refused) reading).problem();
        assertThat(problem.code()).isEqualTo(ErrorCode.SECRET_REFUSED);
        assertThat(problem.toString()).doesNotContain("hunter2");
        return problem;
    }

    private CredentialStore swapping(Moment moment, Disturbed.Disturbance disturbance) {
        return new CredentialStore(
                data,
                () -> null,
                path -> new Disturbed(Directory.open(path), moment, disturbance),
                Users.effectiveId());
    }

    private void replaceFile(String text) throws IOException {
        var other = auth.resolve("other");
        Files.writeString(other, text);
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void put(String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Path directory(Path path, String mode) throws IOException {
        Files.createDirectory(path);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}
