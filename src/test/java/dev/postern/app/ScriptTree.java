package dev.postern.app;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Copies of the scripts in a folder of their own, around stand-ins for what they start: a program that tells
/// how it was started, a JDK and a Maven that are shell scripts.
final class ScriptTree {
    static final Path REAL_LAUNCHER = Path.of(
            Objects.requireNonNull(System.getProperty("postern.launcher"), "postern.launcher is set by failsafe"));
    static final Path REAL_HOME =
            REAL_LAUNCHER.resolveSibling("..").toAbsolutePath().normalize();
    static final Path RUNNING_JDK = Path.of(Objects.requireNonNull(System.getProperty("java.home")));

    /// Prints what the tests ask about. `config`, `call` and `--version` print the cache in use.
    private static final String PROBE = """
            package dev.postern.app;

            import java.io.FileDescriptor;
            import java.io.FileOutputStream;
            import java.io.PrintStream;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.Files;
            import java.nio.file.Path;

            public final class Main {
                public static void main(String... args) throws Exception {
                    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
                    switch (args[0]) {
                        case "arguments" -> {
                            for (String arg : args) {
                                out.print(arg + '\\0');
                            }
                        }
                        case "exit" -> System.exit(Integer.parseInt(args[1]));
                        case "pid" -> out.println(ProcessHandle.current().pid());
                        case "wait" -> {
                            out.println("ready");
                            Thread.sleep(600_000);
                        }
                        default -> {
                            String cache = "none";
                            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                                if (line.endsWith(".aot")) {
                                    cache = line.substring(line.indexOf('/'));
                                }
                            }
                            out.println(cache);
                        }
                    }
                }
            }
            """;

    final Path home;

    private ScriptTree(Path home) {
        this.home = home;
    }

    /// The launcher alone, as in a fresh clone that has no sources.
    static ScriptTree bare(Path home) throws IOException {
        ScriptTree tree = new ScriptTree(home);
        Files.createDirectories(home.resolve("deploy"));
        for (String script : List.of("deploy/postern", "deploy/find-jdk.sh", "mvnw")) {
            Files.copy(REAL_HOME.resolve(script), home.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return tree;
    }

    /// An installation of the probe: no sources, nothing to build.
    static ScriptTree installed(Path home) throws IOException {
        ScriptTree tree = bare(home);
        Files.createDirectories(tree.app().resolve("app"));
        Files.createDirectories(tree.app().resolve("lib/main"));
        writeProbe(tree.app().resolve("app/probe.jar"));
        Files.createFile(tree.jar());
        return tree;
    }

    /// A source tree, not built yet. Its `mvnw` adds a line to `builds` and runs `step` where the build would
    /// be; its JDK prints `ran` and the arguments that follow the main class.
    static ScriptTree sources(Path home, String step) throws IOException {
        ScriptTree tree = bare(home);
        Files.createDirectories(home.resolve("src/main/java"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.writeString(home.resolve("src/main/java/A.java"), "class A {}");
        script(home.resolve("mvnw"), """
                cd "${0%%/*}"
                echo built >>builds
                %s
                mkdir -p target/quarkus-app/app target/quarkus-app/lib/main
                echo jar >target/quarkus-app/quarkus-run.jar
                """.formatted(step));
        jdk(tree.fakeJdk(), "25.0.1", """
                while [ "$1" != dev.postern.app.Main ]; do shift; done
                shift
                echo "ran $*"
                """);
        return tree;
    }

    static void jdk(Path home, String version, String java) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), """
                IMPLEMENTOR="Test"
                JAVA_RUNTIME_VERSION="%s+1"
                JAVA_VERSION="%s"
                """.formatted(version, version));
        script(home.resolve("bin/java"), java);
        script(home.resolve("bin/javac"), "exit 99\n");
    }

    static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.deleteIfExists(file);
        Files.writeString(file, "#!/bin/sh\nset -eu\n" + body, StandardOpenOption.CREATE_NEW);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path launcher() {
        return home.resolve("deploy/postern");
    }

    Path app() {
        return home.resolve("target/quarkus-app");
    }

    Path jar() {
        return app().resolve("quarkus-run.jar");
    }

    Path fakeJdk() {
        return home.resolve("jdk");
    }

    /// The launcher with a JDK that suits the tree.
    ScriptRun postern(Object... arguments) {
        Object[] command =
                Stream.concat(Stream.of(launcher()), Stream.of(arguments)).toArray();
        return ScriptRun.of(command)
                .with("JAVA_HOME", Files.exists(fakeJdk()) ? fakeJdk() : RUNNING_JDK)
                .with("HOME", home.resolve("nowhere"));
    }

    int builds() throws IOException {
        Path file = home.resolve("builds");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static void writeProbe(Path jar) throws IOException {
        Path classes = Files.createTempDirectory("postern-probe");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///dev/postern/app/Main.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return PROBE;
                    }
                };
        boolean compiled = compiler.getTask(null, null, null, List.of("-d", classes.toString()), null, List.of(source))
                .call();
        if (!compiled) {
            throw new IOException("the probe does not compile");
        }
        Path main = classes.resolve("dev/postern/app/Main.class");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("dev/postern/app/Main.class"));
            Files.copy(main, out);
        }
        for (String made : List.of("dev/postern/app/Main.class", "dev/postern/app", "dev/postern", "dev", "")) {
            Files.delete(classes.resolve(made));
        }
    }
}
