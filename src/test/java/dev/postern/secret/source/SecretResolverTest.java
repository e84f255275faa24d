package dev.postern.secret.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.secret.SecretRef;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("SEC-1")
class SecretResolverTest {
    @TempDir
    Path data;

    @Test
    void resolvesAnEnvironmentVariable() {
        assertThat(resolve(Map.of("TOKEN", "hunter2-hunter2"), new SecretRef.Env("TOKEN")))
                .isInstanceOfSatisfying(Resolution.Found.class, found -> {
                    assertThat(found.value().name()).isEqualTo("TOKEN");
                    assertThat(found.value().reveal()).isEqualTo("hunter2-hunter2");
                    assertThat(found.toString()).doesNotContain("hunter2");
                });
    }

    @Test
    void resolvesACredential() {
        new CredentialStore(data, () -> null).write("github", "hunter2-hunter2");

        assertThat(resolve(Map.of(), new SecretRef.Credential("github")))
                .isInstanceOfSatisfying(Resolution.Found.class, found -> {
                    assertThat(found.value().name()).isEqualTo("github");
                    assertThat(found.value().reveal()).isEqualTo("hunter2-hunter2");
                });
    }

    @Test
    void handsOnALiteralAsNoSecret() {
        assertThat(resolve(Map.of(), new SecretRef.Literal(""))).isEqualTo(new Resolution.Plain(""));
        assertThat(resolve(Map.of(), new SecretRef.Literal("debug"))).isEqualTo(new Resolution.Plain("debug"));
    }

    @Test
    @Tag("SEC-3")
    void namesTheReferenceThatIsMissing() {
        var problem = missing(Map.of(), new SecretRef.Env("TOKEN"));

        assertThat(problem.code()).isEqualTo(ErrorCode.SECRET_MISSING);
        assertThat(problem.message()).contains("CHILD_VARIABLE").contains("env:TOKEN");
        assertThat(problem.next()).contains("TOKEN");
    }

    @Test
    @Tag("SEC-3")
    void namesTheCredentialThatIsMissing() {
        var problem = missing(Map.of(), new SecretRef.Credential("github"));

        assertThat(problem.code()).isEqualTo(ErrorCode.SECRET_MISSING);
        assertThat(problem.message()).contains("CHILD_VARIABLE").contains("credential:github");
        assertThat(problem.next()).contains("postern credential set github");
    }

    @Test
    @Tag("SEC-3")
    void takesAnEmptyVariableForAMissingOneAndSaysSo() {
        var problem = missing(Map.of("TOKEN", ""), new SecretRef.Env("TOKEN"));

        assertThat(problem.code()).isEqualTo(ErrorCode.SECRET_MISSING);
        assertThat(problem.message()).contains("empty string");
    }

    @Test
    void refusesNulCharacters() {
        assertThat(missing(Map.of("TOKEN", "hunter2\0"), new SecretRef.Env("TOKEN"))
                        .code())
                .isEqualTo(ErrorCode.SECRET_REFUSED);
        var literal = missing(Map.of(), new SecretRef.Literal("hunter2\0"));
        assertThat(literal.code()).isEqualTo(ErrorCode.SECRET_REFUSED);
        assertThat(literal.toString()).doesNotContain("hunter2");
    }

    @Test
    @Tag("SEC-3")
    void survivesNamesThatCannotBeVariables() {
        for (var name : new String[] {"", "A=B", "A\0B"}) {
            assertThat(missing(Map.of(), new SecretRef.Env(name)).code()).isEqualTo(ErrorCode.SECRET_MISSING);
        }
        assertThat(missing(Map.of(), new SecretRef.Credential("../x")).code()).isEqualTo(ErrorCode.SECRET_REFUSED);
    }

    @Test
    @Tag("SEC-4")
    void givesChildrenSixVariablesWhereTheyAreSet() {
        var environment = HostEnvironment.of(
                Map.of("PATH", "/bin", "HOME", "/root", "TERM", "", "LD_PRELOAD", "x", "AWS_SECRET_ACCESS_KEY", "y"));

        assertThat(environment.childBase())
                .containsExactlyInAnyOrderEntriesOf(Map.of("PATH", "/bin", "HOME", "/root", "TERM", ""));
    }

    @Test
    @Tag("SEC-4")
    void readsTheEnvironmentOfThisProcess() {
        assertThat(HostEnvironment.ofProcess().get("PATH")).isEqualTo(System.getenv("PATH"));
        assertThat(HostEnvironment.ofProcess().get("POSTERN_TEST_NOT_SET")).isNull();
    }

    private Problem missing(Map<String, String> environment, SecretRef reference) {
        var resolution = resolve(environment, reference);
        assertThat(resolution).isInstanceOf(Resolution.Missing.class);
        return ((Resolution.Missing) resolution).problem();
    }

    private Resolution resolve(Map<String, String> environment, SecretRef reference) {
        return new SecretResolver(HostEnvironment.of(environment), new CredentialStore(data, () -> null))
                .resolve(reference, "CHILD_VARIABLE");
    }
}
