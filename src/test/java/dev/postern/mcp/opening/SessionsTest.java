package dev.postern.mcp.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postern.base.Deadline;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.base.ProtocolPin;
import dev.postern.base.Threads;
import dev.postern.base.Timeout;
import dev.postern.base.Timeouts;
import dev.postern.base.Written;
import dev.postern.mcp.ClientInfo;
import dev.postern.mcp.Connector.Attempt;
import dev.postern.mcp.Era;
import dev.postern.mcp.FakeConnection;
import dev.postern.mcp.McpSession;
import dev.postern.mcp.SessionOpener.Opened;
import dev.postern.wire.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("WIR-1")
@Tag("F7")
class SessionsTest {
    private static final String DISCOVERED =
            "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"resultType\":\"complete\"}";

    private static final String INITIALIZED =
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}";

    private static void legacy(FakeConnection peer, Message message) {
        switch (method(message)) {
            case "initialize" -> peer.answers(message, INITIALIZED);
            case "server/discover" -> peer.answers(message, -32601, "Method not found", null);
            default -> {}
        }
    }

    private static void modern(FakeConnection peer, Message message) {
        switch (method(message)) {
            case "server/discover" -> peer.answers(message, DISCOVERED);
            case "initialize" -> peer.answers(message, -32601, "Method not found", null);
            default -> {}
        }
    }

    private final Sessions sessions =
            new Sessions(ClientInfo.postern("1.2.3"), text -> text.replace("secret-value", "[redacted:X]"));

    // Which era

    @Test
    void opensStatelessSessionWithServerThatAnswersTheProbe() {
        var connection = FakeConnection.with(SessionsTest::modern);

        var session = session(open(connection));

        assertThat(session.era()).isEqualTo(Era.STATELESS);
        assertThat(session.protocolVersion()).isEqualTo("2026-07-28");
        assertThat(connection.methods()).containsExactly("server/discover");
        assertThat(connection.isHandshakeDone()).isTrue();
        assertThat(connection.ended()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {-32601, -32602, -32600, -32603, -32000, -32019, -32023, -32700, 0, 1})
    void shakesHandsOnTheSameConnectionAfterAnyErrorThatIsNotModern(int code) {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("server/discover")) {
                peer.answers(message, code, "what?", null);
            } else {
                legacy(peer, message);
            }
        });

        var session = session(open(connection));

        assertThat(session.era()).isEqualTo(Era.HANDSHAKE);
        assertThat(connection.methods()).containsExactly("server/discover", "initialize", "notifications/initialized");
        assertThat(connection.isHandshakeDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"supportedVersions\":\"2026-07-28\"}",
                "{\"supportedVersions\":[1]}",
                "{\"supportedVersions\":[\"2026-07-28\"],\"resultType\":\"task\"}",
            })
    void shakesHandsAfterAnAnswerToTheProbeThatMakesNoSense(String answer) {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("server/discover")) {
                peer.answers(message, answer);
            } else {
                legacy(peer, message);
            }
        });

        assertThat(session(open(connection)).era()).isEqualTo(Era.HANDSHAKE);
    }

    @Test
    void shakesHandsOnTheSameConnectionAfterSilence() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(message, INITIALIZED);
            }
        });

        var opened = open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(connection.methods()).containsExactly("server/discover", "initialize", "notifications/initialized");
    }

    @Test
    @Tag("WIR-6")
    void leavesTimeForTheHandshakeWhenARequestMayTakeAllOfStartUp() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(message, INITIALIZED);
            }
        });

        var opened = open(ProtocolPin.AUTO, null, millis(2_000), probe(60_000), connection);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
    }

    @Test
    void givesTheHandshakeAllTheTimeLeftWhenTheServerIsStillStarting() {
        var connection = FakeConnection.silent();
        var opened = inBackground(() -> open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection));
        await().until(() -> connection.sent().size() == 2);
        await().during(Duration.ofMillis(150)).until(() -> !opened.isDone());

        connection.answers(connection.request(1), INITIALIZED);

        assertThat(session(opened.join()).era()).isEqualTo(Era.HANDSHAKE);
    }

    @Test
    void lateAnswerToTheProbeDecidesWhileTheHandshakeIsOut() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(peer.request(0), DISCOVERED);
            }
        });

        var opened = open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection);
        var session = session(opened);
        connection.answers(connection.request(1), INITIALIZED);

        assertThat(session.era()).isEqualTo(Era.STATELESS);
        assertThat(session.counters().unmatched()).isEqualTo(1);
        assertThat(connection.methods()).containsExactly("server/discover", "initialize");
    }

    @Test
    void lateRefusalOfTheProbeLeavesTheHandshakeOut() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(peer.request(0), -32601, "Method not found", null);
                peer.answers(message, INITIALIZED);
            }
        });

        assertThat(session(open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection))
                        .era())
                .isEqualTo(Era.HANDSHAKE);
    }

    @Test
    void refusedHandshakeStillWaitsForTheProbeThatIsOut() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(message, -32601, "Method not found", null);
                peer.answers(peer.request(0), DISCOVERED);
            }
        });

        assertThat(session(open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection))
                        .era())
                .isEqualTo(Era.STATELESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32020, -32021})
    void staysModernAfterARecognisedModernError(int code) {
        var connection = FakeConnection.with((peer, message) -> peer.answers(message, code, "modern", null));

        assertThat(session(open(connection)).era()).isEqualTo(Era.STATELESS);
        assertThat(connection.methods()).doesNotContain("initialize");
    }

    @Test
    void asksOnceMoreWhenTheRefusedRevisionIsListedAsSupported() {
        var connection = FakeConnection.with((peer, message) -> {
            if (peer.sent().size() == 1) {
                peer.answers(message, -32022, "Unsupported", supported("2027-01-01", "2026-07-28"));
            } else {
                modern(peer, message);
            }
        });

        assertThat(session(open(connection)).era()).isEqualTo(Era.STATELESS);
        assertThat(connection.methods()).containsExactly("server/discover", "server/discover");
    }

    @Test
    void lateModernErrorEndsTheHandshakeThatIsOut() {
        var connection = FakeConnection.with((peer, message) -> {
            switch (peer.sent().size()) {
                case 2 -> peer.answers(peer.request(0), -32022, "Unsupported", supported("2026-07-28"));
                case 3 -> {
                    peer.answers(peer.request(1), INITIALIZED);
                    peer.answers(message, DISCOVERED);
                }
                default -> {}
            }
        });

        var session = session(open(ProtocolPin.AUTO, null, seconds(60), probe(30), connection));

        assertThat(session.era()).isEqualTo(Era.STATELESS);
        assertThat(session.counters().unmatched()).isEqualTo(1);
        assertThat(connection.methods()).containsExactly("server/discover", "initialize", "server/discover");
    }

    @Test
    void givesUpOnAServerThatRefusesTheRevisionItLists() {
        var connection = FakeConnection.with(
                (peer, message) -> peer.answers(message, -32022, "Unsupported", supported("2026-07-28")));

        assertThat(problem(open(connection)).code()).isEqualTo(ErrorCode.START_VERSION);
        assertThat(connection.methods()).containsExactly("server/discover", "server/discover");
    }

    @ParameterizedTest
    @ValueSource(strings = {"silence", "error"})
    void neverShakesHandsAfterAModernErrorWhateverTheSecondAnswer(String second) {
        var connection = FakeConnection.with((peer, message) -> {
            if (peer.sent().size() == 1) {
                peer.answers(message, -32022, "Unsupported", supported("2026-07-28"));
            } else if (second.equals("error")) {
                peer.answers(message, -32601, "Method not found", null);
            }
        });

        var problem = problem(open(ProtocolPin.AUTO, null, seconds(60), probe(50), connection));

        assertThat(problem.code())
                .isEqualTo(second.equals("error") ? ErrorCode.START_REFUSED : ErrorCode.START_DEADLINE);
        assertThat(problem.message()).contains("server/discover");
        assertThat(connection.methods()).containsExactly("server/discover", "server/discover");
    }

    @Test
    void failsWithBothVersionsWhenAModernServerHasNoneInCommon() {
        var connection = FakeConnection.with(
                (peer, message) -> peer.answers(message, -32022, "Unsupported", supported("2027-01-01", "2025-11-25")));

        var problem = problem(open(connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_VERSION);
        assertThat(problem.message()).contains("\"2027-01-01\"", "\"2025-11-25\"", "2026-07-28");
        assertThat(connection.methods()).containsExactly("server/discover");
        assertThat(connection.ended()).isEqualTo(problem);
    }

    @Test
    void failsWhenAModernErrorAboutVersionsNamesNone() {
        var connection = FakeConnection.with((peer, message) -> peer.answers(message, -32022, "Unsupported", null));

        assertThat(problem(open(connection)).code()).isEqualTo(ErrorCode.START_VERSION);
        assertThat(connection.methods()).containsExactly("server/discover");
    }

    @Test
    void failsWhenDiscoveryListsNoRevisionOfOurs() {
        var connection = FakeConnection.with(
                (peer, message) -> peer.answers(message, "{\"supportedVersions\":[\"2099-01-01\"]}"));

        assertThat(problem(open(connection)).message()).contains("\"2099-01-01\"", "2026-07-28");
    }

    // Pins and memory

    @Test
    @Tag("SRV-1")
    void modernPinNeverShakesHands() {
        var connection = FakeConnection.with(SessionsTest::legacy);

        var problem = problem(open(ProtocolPin.MODERN, null, seconds(60), probe(5_000), connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_REFUSED);
        assertThat(problem.message()).contains("server/discover", "-32601", "Method not found");
        assertThat(connection.methods()).containsExactly("server/discover");
    }

    @Test
    @Tag("SRV-1")
    void legacyPinNeverProbes() {
        var connection = FakeConnection.with(SessionsTest::legacy);

        var opened = open(ProtocolPin.LEGACY, Era.STATELESS, seconds(60), probe(5_000), connection);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(connection.methods()).containsExactly("initialize", "notifications/initialized");
    }

    @Test
    void triesTheRememberedEraFirst() {
        var connection = FakeConnection.with(SessionsTest::legacy);

        session(open(ProtocolPin.AUTO, Era.HANDSHAKE, seconds(60), probe(5_000), connection));

        assertThat(connection.methods()).containsExactly("initialize", "notifications/initialized");
    }

    @Test
    void probesWhenTheRememberedHandshakeIsRefused() {
        var connection = FakeConnection.with(SessionsTest::modern);

        var opened = open(ProtocolPin.AUTO, Era.HANDSHAKE, seconds(60), probe(5_000), connection);

        assertThat(session(opened).era()).isEqualTo(Era.STATELESS);
        assertThat(connection.methods()).containsExactly("initialize", "server/discover");
    }

    @Test
    void reportsTheRefusedHandshakeWhenTheProbeIsRefusedToo() {
        var connection =
                FakeConnection.with((peer, message) -> peer.answers(message, -32603, "no secret-value\u001b", null));

        var problem = problem(open(connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_REFUSED);
        assertThat(problem.message())
                .isEqualTo("The server answered initialize with error -32603: \"no [redacted:X]\\u{1B}\".");
        assertThat(connection.ended()).isEqualTo(problem);
    }

    // The handshake

    @Test
    void saysWhatTheHandshakeEraWantsToHear() {
        var connection = FakeConnection.with(SessionsTest::legacy);

        session(open(connection));

        assertThat(connection.request(1).params()).isEqualTo(FakeConnection.json("""
                {"protocolVersion":"2025-11-25","capabilities":{},
                 "clientInfo":{"name":"postern","version":"1.2.3"}}"""));
        assertThat(connection.sent().get(2)).isEqualTo(new Message.Notification("notifications/initialized", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
    void acceptsEveryRevisionOfTheHandshakeEra(String revision) {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(message, "{\"protocolVersion\":\"" + revision + "\"}");
            }
        });

        var opened = open(ProtocolPin.LEGACY, null, seconds(60), probe(5_000), connection);

        assertThat(session(opened).protocolVersion()).isEqualTo(revision);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-10-07", "2026-07-28", "1.0", ""})
    void disconnectsFromAServerThatInsistsOnAnotherRevision(String revision) {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.answers(message, "{\"protocolVersion\":\"" + revision + "\"}");
            } else {
                legacy(peer, message);
            }
        });

        var problem = problem(open(connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_VERSION);
        assertThat(problem.message()).contains("\"" + revision + "\"", "2025-11-25", "2024-11-05");
        assertThat(connection.methods()).doesNotContain("notifications/initialized");
        assertThat(connection.ended()).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}|protocolVersion is missing", "{\"protocolVersion\":20251125}|protocolVersion is missing"})
    void failsOnAnAnswerToTheHandshakeThatMakesNoSense(String answer, String reason) {
        var connection = FakeConnection.with((peer, message) -> peer.answers(message, answer));

        var problem = problem(open(connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.WIRE_PROTOCOL);
        assertThat(problem.message()).contains("initialize", reason);
    }

    @Test
    @Tag("WIR-5")
    void answersPingsDuringTheHandshake() {
        var connection = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.says(new Message.Request(TextNode.valueOf("p"), "ping", null));
                peer.answers(message, INITIALIZED);
            } else {
                legacy(peer, message);
            }
        });

        assertThat(session(open(connection)).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(connection.methods())
                .containsExactly("server/discover", "initialize", "#", "notifications/initialized");
    }

    @Test
    @Tag("WIR-5")
    @Tag("F6")
    void answersNoRequestOnceTheServerIsKnownToBeModern() {
        var connection = FakeConnection.with(SessionsTest::modern);
        var session = session(open(connection));

        connection.says(new Message.Request(TextNode.valueOf("p"), "ping", null));

        assertThat(connection.methods()).containsExactly("server/discover");
        assertThat(session.counters().refusedRequests()).isEqualTo(1);
    }

    // Deadlines

    @Test
    @Tag("WIR-6")
    void namesTheRequestDeadlineWhenAPinnedServerIsSilent() {
        var connection = FakeConnection.silent();

        var problem = problem(open(ProtocolPin.LEGACY, null, seconds(8), probe(50), connection));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_DEADLINE);
        assertThat(problem.message())
                .isEqualTo("The server did not answer initialize within the request deadline of 50ms"
                        + " (timeouts.request).");
        assertThat(problem.next()).contains("raise timeouts.request");
        assertThat(connection.ended()).isEqualTo(problem);
        assertThat(connection.methods()).containsExactly("initialize");
    }

    @Test
    @Tag("WIR-6")
    void namesTheStartUpDeadlineWhenAServerIsSilentThroughBothEras() {
        var connection = FakeConnection.silent();

        var problem = problem(open(ProtocolPin.AUTO, null, millis(150), probe(50), connection));

        assertThat(problem.message())
                .isEqualTo("The server did not answer server/discover or initialize within the startup deadline of"
                        + " 150ms (timeouts.startup).");
        assertThat(problem.next()).contains("raise timeouts.startup");
    }

    @Test
    @Tag("WIR-6")
    void givesTheOnlyQuestionAllOfStartUp() {
        var connection = FakeConnection.silent();

        var problem = problem(open(ProtocolPin.MODERN, null, millis(50), probe(5_000), connection));

        assertThat(problem.message()).contains("server/discover", "the startup deadline of 50ms");
        assertThat(connection.methods()).containsExactly("server/discover");
    }

    @Test
    @Tag("WIR-6")
    void connectsToNothingWhenTheTimeIsOverAlready() {
        var opened = open(ProtocolPin.AUTO, null, millis(0), probe(50));

        assertThat(problem(opened).code()).isEqualTo(ErrorCode.START_DEADLINE);
    }

    @Test
    @Tag("WIR-6")
    void deadlineFiresThoughTheServerFloodsAndDoesNotRead() {
        var connection = FakeConnection.silent();
        connection.writes(_ -> new CompletableFuture<>());
        var opened = inBackground(() -> open(ProtocolPin.AUTO, null, millis(200), probe(50), connection));
        await().until(() -> !connection.sent().isEmpty());

        while (!opened.isDone()) {
            connection.says(new Message.Notification("notifications/message", null));
        }

        assertThat(problem(opened.join()).code()).isEqualTo(ErrorCode.START_DEADLINE);
    }

    @Test
    void answerAfterTheDeadlineOpensNothing() {
        var connection = FakeConnection.silent();
        var opened = open(ProtocolPin.LEGACY, null, seconds(8), probe(30), connection);

        connection.answers(connection.request(0), INITIALIZED);

        assertThat(opened).isInstanceOf(Opened.Failed.class);
        assertThat(connection.methods()).containsExactly("initialize");
    }

    // Ends

    @Test
    void startsOneFreshPeerInTheHandshakeEraWhenTheFirstEndsOnTheProbe() {
        var first = FakeConnection.with((peer, _) -> peer.ends());
        var second = FakeConnection.with(SessionsTest::legacy);

        var opened = open(ProtocolPin.AUTO, null, seconds(60), probe(5_000), first, second);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(second.methods()).containsExactly("initialize", "notifications/initialized");
        assertThat(((Opened.Open) opened).connection()).isSameAs(second);
    }

    @Test
    void startsAFreshPeerWhenTheFirstEndsAfterBothQuestionsWentUnanswered() {
        var first = FakeConnection.with((peer, message) -> {
            if (method(message).equals("initialize")) {
                peer.ends();
            }
        });
        var second = FakeConnection.with(SessionsTest::legacy);

        var opened = open(ProtocolPin.AUTO, null, seconds(60), probe(30), first, second);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
    }

    @Test
    void startsNoThirdPeer() {
        var first = FakeConnection.with((peer, _) -> peer.ends());
        var second = FakeConnection.with((peer, _) -> peer.ends());

        var problem = problem(open(ProtocolPin.AUTO, null, seconds(60), probe(5_000), first, second));

        assertThat(problem.code()).isEqualTo(ErrorCode.START_EXITED);
        assertThat(problem.message())
                .isEqualTo("The server exited with code 1 (during the handshake: initialize not answered).");
        assertThat(problem.next()).isEqualTo(FakeConnection.EXITED.next());
    }

    @Test
    void startsNoFreshPeerWhenTheProbeWasAnswered() {
        var connection = FakeConnection.with((peer, message) -> {
            legacy(peer, message);
            if (method(message).equals("server/discover")) {
                peer.ends();
            }
        });

        assertThat(problem(open(connection)).message()).contains("exited with code 1", "initialize not answered");
    }

    @ParameterizedTest
    @EnumSource(
            value = ProtocolPin.class,
            names = {"MODERN", "LEGACY"})
    void startsNoFreshPeerUnderAPin(ProtocolPin pin) {
        var connection = FakeConnection.with((peer, _) -> peer.ends());

        assertThat(problem(open(pin, null, seconds(60), probe(5_000), connection))
                        .code())
                .isEqualTo(ErrorCode.START_EXITED);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"WIRE_NOISE", "WIRE_FRAME_TOO_LARGE", "WIRE_PROTOCOL"})
    void startsNoFreshPeerWhenTheConnectionWasClosedForWhatThePeerSent(ErrorCode code) {
        var connection =
                FakeConnection.with((peer, _) -> peer.close(new Problem(code, "The server sent garbage.", "Fix it.")));

        var problem = problem(open(connection));

        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.message())
                .isEqualTo("The server sent garbage (during the handshake: server/discover not answered).");
    }

    @Test
    void startsNoFreshPeerWhenTheTimeIsOver() {
        var startup = millis(50);
        var connection = FakeConnection.with((peer, _) -> {
            await().until(startup::expired);
            peer.ends();
        });

        var problem = problem(open(ProtocolPin.AUTO, null, startup, probe(5_000), connection));

        assertThat(problem.code()).isIn(ErrorCode.START_EXITED, ErrorCode.START_DEADLINE);
    }

    @Test
    void probeThatCouldNotBeWrittenCountsAsTheEndOfThePeer() {
        var first = FakeConnection.silent();
        first.writes(_ -> CompletableFuture.completedFuture(Written.NOT_AT_ALL));
        var second = FakeConnection.with(SessionsTest::legacy);

        var opened = open(ProtocolPin.AUTO, null, seconds(60), probe(5_000), first, second);

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(first.ended()).isNotNull();
    }

    @Test
    @Tag("WIR-6")
    void startsEveryPeerUnderTheOneDeadline() {
        var startup = seconds(60);
        var given = new ArrayDeque<Deadline>();
        var peers = new ArrayDeque<>(Arrays.asList(
                FakeConnection.with((peer, _) -> peer.ends()), FakeConnection.with(SessionsTest::legacy)));

        var opened = sessions.open(
                deadline -> {
                    given.add(deadline);
                    return new Attempt.Connected(peers.removeFirst());
                },
                ProtocolPin.AUTO,
                null,
                startup,
                Timeouts.standard());

        assertThat(session(opened).era()).isEqualTo(Era.HANDSHAKE);
        assertThat(given).containsExactly(startup, startup);
    }

    @Test
    void passesOnWhyNoPeerCouldBeStarted() {
        var problem = new Problem(ErrorCode.START_COMMAND_NOT_FOUND, "No such command.", "Install it.");

        var opened = sessions.open(
                _ -> new Attempt.Failed(problem), ProtocolPin.AUTO, null, seconds(60), Timeouts.standard());

        assertThat(opened).isEqualTo(new Opened.Failed(problem));
    }

    private Opened open(FakeConnection connection) {
        return open(ProtocolPin.AUTO, null, seconds(60), probe(5_000), connection);
    }

    /// Each attempt to connect takes the next connection; one too many fails the test.
    private Opened open(
            ProtocolPin pin,
            @Nullable Era remembered,
            Deadline startup,
            Timeouts timeouts,
            FakeConnection... connections) {
        Deque<FakeConnection> left = new ArrayDeque<>(Arrays.asList(connections));
        var opened = sessions.open(_ -> new Attempt.Connected(left.removeFirst()), pin, remembered, startup, timeouts);
        assertThat(left).isEmpty();
        return opened;
    }

    private static CompletableFuture<Opened> inBackground(Supplier<Opened> work) {
        var result = new CompletableFuture<Opened>();
        Threads.virtual("opener", () -> result.complete(work.get()));
        return result;
    }

    private static McpSession session(Opened opened) {
        assertThat(opened).isInstanceOf(Opened.Open.class);
        return ((Opened.Open) opened).session();
    }

    private static Problem problem(Opened opened) {
        assertThat(opened).isInstanceOf(Opened.Failed.class);
        return ((Opened.Failed) opened).problem();
    }

    private static String method(Message message) {
        return switch (message) {
            case Message.Request request -> request.method();
            case Message.Notification notification -> notification.method();
            case Message.Response _ -> "";
        };
    }

    private static JsonNode supported(String... versions) {
        return Objects.requireNonNull(FakeConnection.json(
                "{\"supported\":[\"" + String.join("\",\"", versions) + "\"],\"requested\":\"2026-07-28\"}"));
    }

    private static Deadline seconds(int seconds) {
        return Deadline.after(Duration.ofSeconds(seconds), Timeout.STARTUP);
    }

    private static Deadline millis(int millis) {
        return Deadline.after(Duration.ofMillis(millis), Timeout.STARTUP);
    }

    private static Timeouts probe(int millis) {
        return Timeouts.standard().with(Timeout.REQUEST, Duration.ofMillis(millis));
    }
}
