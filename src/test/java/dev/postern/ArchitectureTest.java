package dev.postern;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import dev.postern.mcp.McpSession;
import dev.postern.secret.SecretValue;
import java.time.Instant;
import org.jspecify.annotations.NullMarked;

/// The house rules that the compiler can't hold. The picture of the layers stands in README.md; change both
/// together.
@AnalyzeClasses(packages = "dev.postern", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "dev.postern.wire..",
        "dev.postern.mcp..",
        "dev.postern.catalog..",
        "dev.postern.policy..",
        "dev.postern.secret",
        "dev.postern.config.."
    };

    @ArchTest
    static final ArchRule layers = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.postern..")
            .layer("base")
            .definedBy("dev.postern.base")
            .layer("natives")
            .definedBy("dev.postern.natives")
            .layer("wire")
            .definedBy("dev.postern.wire..")
            .layer("mcp")
            .definedBy("dev.postern.mcp..")
            .layer("catalog")
            .definedBy("dev.postern.catalog..")
            .layer("policy")
            .definedBy("dev.postern.policy..")
            .layer("secret")
            .definedBy("dev.postern.secret")
            .layer("config")
            .definedBy("dev.postern.config..")
            .layer("process")
            .definedBy("dev.postern.process..")
            .layer("transport")
            .definedBy("dev.postern.transport..")
            .layer("secret.source")
            .definedBy("dev.postern.secret.source..")
            .layer("datadir")
            .definedBy("dev.postern.datadir..")
            .layer("store")
            .definedBy("dev.postern.store..")
            .layer("model")
            .definedBy("dev.postern.model..")
            .layer("server")
            .definedBy("dev.postern.server..")
            .layer("call")
            .definedBy("dev.postern.call..")
            .layer("run")
            .definedBy("dev.postern.run..")
            .layer("host")
            .definedBy("dev.postern.host..")
            .layer("control")
            .definedBy("dev.postern.control..")
            .layer("cli")
            .definedBy("dev.postern.cli..")
            .layer("demo")
            .definedBy("dev.postern.demo..")
            .layer("app")
            .definedBy("dev.postern.app..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("control")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("cli")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("host")
            .mayOnlyBeAccessedByLayers("cli", "app")
            .whereLayer("run")
            .mayOnlyBeAccessedByLayers("host", "cli", "app")
            .whereLayer("call")
            .mayOnlyBeAccessedByLayers("run", "host", "cli", "app")
            .whereLayer("server")
            .mayOnlyBeAccessedByLayers("call", "run", "host", "app")
            .whereLayer("transport")
            .mayOnlyBeAccessedByLayers("server")
            .whereLayer("process")
            .mayOnlyBeAccessedByLayers("transport", "server", "host", "cli", "app")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("server", "call", "run", "host", "app")
            .whereLayer("model")
            .mayOnlyBeAccessedByLayers("run", "host", "cli", "app")
            .whereLayer("natives")
            .mayOnlyBeAccessedByLayers("process", "secret.source", "datadir", "control", "app")
            .whereLayer("policy")
            .mayOnlyBeAccessedByLayers("server", "call", "run", "host", "cli", "app")
            .whereLayer("mcp")
            .mayOnlyBeAccessedByLayers("transport", "server", "call", "run");

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("dev.postern.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule pureLayersTouchNothingOutside = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "java.net.http..", "java.nio.channels..", "java.sql..", "jakarta..", "io.quarkus..", "io.vertx.."))
            .orShould()
            .dependOnClassesThat(name("java.nio.file.Files"))
            .orShould()
            .dependOnClassesThat(name("java.io.File"))
            .orShould()
            .dependOnClassesThat(name("java.net.Socket"))
            .orShould()
            .dependOnClassesThat(name("java.time.Clock"));

    @ArchTest
    static final ArchRule onlyProcessStartsProcesses = noClasses()
            .that(not(resideInAnyPackage("dev.postern.process..", "dev.postern.natives..")))
            .should()
            .dependOnClassesThat(name("java.lang.ProcessBuilder"))
            .orShould()
            .dependOnClassesThat(name("java.lang.ProcessHandle"))
            .orShould()
            .callMethod(Runtime.class, "exec", String[].class);

    @ArchTest
    static final ArchRule onlyNativesCallsForeignFunctions = noClasses()
            .that(not(resideInAPackage("dev.postern.natives..")))
            .should()
            .dependOnClassesThat(resideInAPackage("java.lang.foreign.."));

    @ArchTest
    static final ArchRule onlyCallInvokesTools = noClasses()
            .that(not(resideInAnyPackage("dev.postern.call..", "dev.postern.mcp..")))
            .should()
            .callMethodWhere(target(owner(isA(McpSession.class))).and(target(name("callTool"))));

    @ArchTest
    static final ArchRule secretsAreRevealedInFewPlaces = noClasses()
            .that(not(resideInAnyPackage(
                    "dev.postern.secret", "dev.postern.process..", "dev.postern.transport..", "dev.postern.model..")))
            .should()
            .callMethod(SecretValue.class, "reveal");

    @ArchTest
    static final ArchRule onlyAppAndSecretSourceReadTheEnvironment = noClasses()
            .that(not(resideInAnyPackage("dev.postern.app..", "dev.postern.secret.source..", "dev.postern.demo..")))
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class);

    @ArchTest
    static final ArchRule nobodyExitsButApp = noClasses()
            .that(not(resideInAnyPackage("dev.postern.app..", "dev.postern.demo..")))
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class);

    @ArchTest
    static final ArchRule nobodyUsesTheStandardStreamsButApp = noClasses()
            .that(not(resideInAnyPackage("dev.postern.app..", "dev.postern.demo..")))
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .accessField(System.class, "in");

    /// WIR-6: a clock that jumps moves no deadline, and no waiting is timed by anything but one.
    @ArchTest
    static final ArchRule deadlinesAndStopwatchesKnowTheMonotonicClockOnly = noClasses()
            .that()
            .haveFullyQualifiedName("dev.postern.base.Deadline")
            .or()
            .haveFullyQualifiedName("dev.postern.base.Stopwatch")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.time\\.(Instant|InstantSource|Clock|ZonedDateTime|LocalDateTime)")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule clocksSleepsAndThreadsAreMadeInBase = noClasses()
            .that(not(resideInAnyPackage("dev.postern.base", "dev.postern.app..", "dev.postern.demo..")))
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "ofPlatform")
            .orShould()
            .callMethod(Thread.class, "ofVirtual")
            .orShould()
            .callConstructor(Thread.class, Runnable.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class, String.class);

    @ArchTest
    static final ArchRule picocliStaysInCli = noClasses()
            .that(not(resideInAPackage("dev.postern.cli..")))
            .should()
            .dependOnClassesThat(resideInAPackage("picocli.."));

    @ArchTest
    static final ArchRule modelLibrariesStayInModel = noClasses()
            .that(not(resideInAPackage("dev.postern.model..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.langchain4j..", "com.knuddels.."));

    @ArchTest
    static final ArchRule dependenciesComeThroughConstructors =
            noClasses().should().dependOnClassesThat(name("jakarta.inject.Inject"));

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes().should(resideInNullMarkedPackages());

    private static ArchCondition<JavaClass> resideInNullMarkedPackages() {
        return ArchCondition.from(DescribedPredicate.<JavaClass>describe(
                "reside in a @NullMarked package", type -> type.getPackage().isAnnotatedWith(NullMarked.class)));
    }

    private static DescribedPredicate<JavaClass> isA(Class<?> type) {
        return JavaClass.Predicates.assignableTo(type);
    }
}
