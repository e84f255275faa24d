package dev.postern.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    @Tag("CLI-9")
    void isTheVersionOfTheBuild() throws IOException {
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + Version.TEXT + "</version>");
    }
}
