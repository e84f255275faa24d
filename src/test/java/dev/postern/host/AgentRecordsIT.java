package dev.postern.host;

import static dev.postern.host.AgentKit.call;
import static dev.postern.host.AgentRunIT.SECRET;
import static dev.postern.host.AgentRunIT.answers;
import static dev.postern.host.AgentRunIT.files;
import static dev.postern.host.AgentRunIT.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.ErrorCode;
import dev.postern.base.Threads;
import dev.postern.config.Approval;
import dev.postern.host.HostKit.Server;
import dev.postern.model.Message;
import dev.postern.model.ModelReply;
import dev.postern.model.ToolAnswer;
import dev.postern.model.ToolCall;
import dev.postern.model.Usage;
import dev.postern.policy.Mode;
import dev.postern.run.Approver.Verdict;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import dev.postern.run.RunReport.State;
import dev.postern.secret.SecretRef;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.Script;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What is recorded of the runs of agents, and what must not be, with real servers and a real database.
@ExtendWith(LeavesNothingBehind.class)
class AgentRecordsIT {
    @TempDir
    private Path dir;

    @Test
    @Tag("RUN-1")
    @Tag("RUN-4")
    @Tag("MOD-4")
    void recordsTheRunItsMessagesItsTurnsAndItsCalls() {
        try (var kit = AgentKit.of(dir, files()).start()) {
            kit.model.says("", call("s", "echo", "{\"text\":\"x\"}")).says("Done.");

            var report = kit.run("Say x.", new RunOrder.Session.New());

            var session = AgentKit.here(kit.records.session(String.valueOf(report.sessionId())));
            assertThat(session.summary().title()).isEqualTo("Say x.");
            var run = session.runs().getFirst();
            assertThat(run.run().summary().state()).isEqualTo("completed");
            assertThat(run.messages().stream().map(Records.Message::role))
                    .containsExactly("system", "user", "assistant", "tool", "assistant");
            var recorded = run.run().calls().getFirst();
            assertThat(recorded.server() + "/" + recorded.tool()).isEqualTo("s/echo");
            assertThat(recorded.modelName()).startsWith("postern_mcp_echo_");
            assertThat(recorded.mode()).isEqualTo("chat");
            var transcript = AgentKit.here(kit.records.transcript(report.runId()));
            assertThat(transcript.turns())
                    .hasSize(2)
                    .allSatisfy(turn -> assertThat(turn.answered()).isNotNull());
            assertThat(transcript.run().summary().agent().inputTokens()).isEqualTo(20);
            assertThat(transcript.tools().toString()).contains("postern_mcp_echo_");
        }
    }

    @Test
    @Tag("RUN-4")
    void whatTheModelWasSentCanBeReadBackExactly() {
        try (var kit = AgentKit.of(dir, files()).start()) {
            kit.model
                    .says("One.")
                    .says("", call("s", "echo", "{\"text\":\"two\"}"))
                    .says("Two.");
            var first = kit.run("First.", new RunOrder.Session.New());
            var second = kit.run("Second.", new RunOrder.Session.Continued(String.valueOf(first.sessionId())));

            var sent = kit.model.requests().getLast();
            var transcript = AgentKit.here(kit.records.transcript(second.runId()));

            assertThat(transcript.context().getFirst().content().path("text").asText())
                    .isEqualTo(sent.system());
            var last = transcript.turns().getLast();
            var texts = transcript.context().stream()
                    .skip(1)
                    .filter(message ->
                            !message.runId().equals(second.runId()) || message.position() <= last.lastPosition())
                    .map(message -> message.content()
                            .path("text")
                            .asText(message.content()
                                    .path("answers")
                                    .path(0)
                                    .path("text")
                                    .asText()))
                    .toList();
            assertThat(texts)
                    .containsExactlyElementsOf(sent.messages().stream()
                            .map(message -> switch (message) {
                                case Message.User user -> user.text();
                                case Message.Assistant assistant -> assistant.text();
                                case Message.Results results ->
                                    results.answers().getFirst().text();
                            })
                            .toList());
        }
    }

    @Test
    @Tag("RUN-3")
    void dropsOlderMessagesWholeAndKeepsACallWithItsResult() {
        try (var kit = AgentKit.of(dir, files()).context(5_000).start()) {
            var big = "{\"text\":\"" + "x".repeat(4_000) + "\"}";
            kit.model.says("", call("s", "echo", big)).says("One.");
            var first = kit.run("First.", new RunOrder.Session.New());
            var session = new RunOrder.Session.Continued(String.valueOf(first.sessionId()));
            kit.model.says("Two.").says("Three.");
            kit.run("Second. " + "y".repeat(4_000), session);
            kit.run("Third.", session);

            for (var request : kit.model.requests()) {
                assertThat(request.messages().getFirst()).isInstanceOf(Message.User.class);
                for (int i = 0; i < request.messages().size(); i++) {
                    if (request.messages().get(i) instanceof Message.Results) {
                        assertThat(request.messages().get(i - 1)).isInstanceOf(Message.Assistant.class);
                    }
                }
            }
            var last = kit.model.requests().getLast().messages();
            assertThat(last.getFirst()).isNotEqualTo(new Message.User("First."));
            assertThat(last.getLast()).isEqualTo(new Message.User("Third."));
        }
    }

    @Test
    @Tag("SEC-5")
    void noSecretReachesTheModelTheRecordsOrTheEvents() {
        try (var kit = AgentKit.of(
                        dir,
                        Server.of("s", Script.behaving().tool("getenv"))
                                .approval(Approval.AUTO)
                                .tools("getenv", "echo")
                                .variable("TOKEN", new SecretRef.Env("TEST_TOKEN")))
                .variable("TEST_TOKEN", SECRET)
                .start()) {
            kit.model.says("", call("s", "getenv", "{\"name\":\"TOKEN\"}")).says("It is " + SECRET + ", I guess.");

            var report = kit.run("Tell me " + SECRET, new RunOrder.Session.New());

            assertThat(kit.model.requests().toString()).doesNotContain(SECRET).contains("[redacted:");
            assertThat(report.text()).doesNotContain(SECRET).contains("[redacted:");
            assertThat(kit.events.toString()).doesNotContain(SECRET);
            assertThat(AgentKit.here(kit.records.transcript(report.runId())).toString())
                    .doesNotContain(SECRET);
            assertThat(AgentKit.here(kit.records.session(String.valueOf(report.sessionId())))
                            .toString())
                    .doesNotContain(SECRET);
        }
    }

    @Test
    @Tag("RUN-4")
    void onlyOneRunGoesOnInASession() {
        try (var kit = AgentKit.of(dir).start()) {
            kit.model.says("Hello.").hangs();
            var first = kit.run("Hello.", new RunOrder.Session.New());
            var session = new RunOrder.Session.Continued(String.valueOf(first.sessionId()));
            var running = new CompletableFuture<RunReport>();
            Threads.virtual("test-run", () -> running.complete(kit.run("Second.", session)));
            await().until(() -> kit.model.requests().size() == 2);

            var third = kit.host.run(
                    new RunOrder(Mode.CHAT, "Third.", session, Set.of()),
                    (question, cancellation) -> new Verdict.No(),
                    event -> {},
                    new Cancellation());

            assertThat(((Answer.Not<RunReport>) third).problem().code()).isEqualTo(ErrorCode.RUN_SESSION_BUSY);
            kit.host.cancelRun(kit.events(RunEvent.Started.class).getLast().runId());
            running.join();
        }
    }

    @Test
    @Tag("RUN-1")
    void endsTheRunInTheRecordsWhenSomethingOfOursFails() {
        try (var kit = AgentKit.of(dir).start()) {
            kit.model.then((onText, deadline, cancellation) -> {
                throw new IllegalStateException("a fault");
            });
            assertThatThrownBy(() -> kit.run("Hi", new RunOrder.Session.New())).hasMessage("a fault");
            var session = AgentKit.here(kit.records.sessions(10, null))
                    .items()
                    .getFirst()
                    .id();
            kit.model.says("Here I am.");

            var report = kit.run("Again", new RunOrder.Session.Continued(session));

            assertThat(report.state()).isEqualTo(State.COMPLETED);
            assertThat(AgentKit.here(kit.records.session(session))
                            .runs()
                            .getFirst()
                            .run()
                            .summary()
                            .state())
                    .isEqualTo("failed");
        }
    }

    @Test
    @Tag("SEC-5")
    void redactsWhatTheModelWritesAsIdsAndNamesOfCalls() throws Exception {
        var server = files().variable("TOKEN", new SecretRef.Env("TOKEN"));
        try (var kit = AgentKit.of(dir, server).variable("TOKEN", SECRET).start()) {
            var echo = call("s", "echo", "{\"text\":\"x\"}");
            kit.model
                    .then((onText, deadline, cancellation) -> new ModelReply.Answered(
                            "",
                            List.of(
                                    new ToolCall(SECRET, echo.name(), echo.arguments()),
                                    new ToolCall("b" + SECRET, SECRET, "{}")),
                            new Usage(1, 1, true),
                            false))
                    .says("Done.");

            var report = kit.run("Go", new RunOrder.Session.New());

            assertThat(kit.model.requests().getLast().toString()).doesNotContain(SECRET);
            assertThat(answers(kit, 1)).extracting(ToolAnswer::id).doesNotHaveDuplicates();
            assertThat(kit.events.toString()).doesNotContain(SECRET);
            var run = AgentKit.here(kit.records.run(report.runId()));
            assertThat(run.toString()).doesNotContain(SECRET);
            assertThat(AgentKit.here(kit.records.session(String.valueOf(report.sessionId())))
                            .toString())
                    .doesNotContain(SECRET);
        }
    }

    @Test
    @Tag("RUN-1")
    void recordsArgumentsWithHalfOfACharacterAndRefusesThem() {
        try (var kit = AgentKit.of(dir, files()).start()) {
            var name = call("s", "echo", "{}").name();
            kit.model
                    .says("", FakeModel.call(name, "{\"input\":\"{}\",\"\ud83d\":1}"))
                    .says("Done.");

            var report = kit.run("Go", new RunOrder.Session.New());

            assertThat(report.state()).isEqualTo(State.COMPLETED);
            assertThat(outcomes(kit)).containsExactly("refused");
            assertThat(AgentKit.here(kit.records.transcript(report.runId())).toString())
                    .contains("\uFFFD");
        }
    }
}
