package dev.postern.host;

import dev.postern.base.Answer;
import dev.postern.base.Cancellation;
import dev.postern.base.Ids;
import dev.postern.base.Limits;
import dev.postern.base.Retention;
import dev.postern.base.Timeouts;
import dev.postern.call.CallService;
import dev.postern.call.DurableCallLedger;
import dev.postern.catalog.ModelNames;
import dev.postern.config.Config;
import dev.postern.config.RunLimits;
import dev.postern.config.ServerEntry;
import dev.postern.datadir.DataDirectory;
import dev.postern.host.HostKit.Server;
import dev.postern.model.TokenCount;
import dev.postern.model.ToolCall;
import dev.postern.natives.Users;
import dev.postern.policy.Mode;
import dev.postern.process.Launcher;
import dev.postern.run.AgentRuns;
import dev.postern.run.Approver;
import dev.postern.run.ModelInUse;
import dev.postern.run.Models;
import dev.postern.run.OwnTools;
import dev.postern.run.RunEvent;
import dev.postern.run.RunOrder;
import dev.postern.run.RunReport;
import dev.postern.run.builtin.BuiltinSource;
import dev.postern.secret.source.CredentialStore;
import dev.postern.secret.source.HostEnvironment;
import dev.postern.secret.source.SecretResolver;
import dev.postern.server.SecretRegistry;
import dev.postern.server.ServerPool;
import dev.postern.server.Surroundings;
import dev.postern.server.ToolSource;
import dev.postern.store.DiscoveryFiles;
import dev.postern.store.LazyStore;
import dev.postern.store.Owners;
import dev.postern.store.SqliteLibrary;
import dev.postern.store.Store;
import dev.postern.testkit.SoleOwner;
import dev.postern.wire.StrictJson;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A host with real servers and a real database, whose agents ask a [FakeModel].
final class AgentKit implements AutoCloseable {
    static {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
    }

    final FakeModel model = new FakeModel();
    final List<RunEvent> events = Collections.synchronizedList(new ArrayList<>());
    final List<Approver.Question> questions = new ArrayList<>();
    final LocalHost host;
    final StoredRecords records;
    private final LazyStore store;

    private Approver approver = (question, cancellation) -> {
        throw new AssertionError("nobody expected the question about " + question.tool());
    };

    /// What can differ.
    static final class Setup {
        private final Path dir;
        private final List<Server> servers;
        private final Map<String, String> environment = new TreeMap<>();
        private final List<OwnTools> own = new ArrayList<>();
        private RunLimits limits = RunLimits.STANDARD;
        private long contextTokens = 100_000;
        private Owners owners = new SoleOwner();

        private Setup(Path dir, List<Server> servers) {
            this.dir = dir;
            this.servers = servers;
        }

        Setup variable(String name, String value) {
            environment.put(name, value);
            return this;
        }

        Setup limits(RunLimits value) {
            limits = value;
            return this;
        }

        Setup context(long tokens) {
            contextTokens = tokens;
            return this;
        }

        Setup owners(Owners value) {
            owners = value;
            return this;
        }

        Setup own(OwnTools tools) {
            own.add(tools);
            return this;
        }

        AgentKit start() {
            return new AgentKit(this);
        }
    }

    static Setup of(Path dir, Server... servers) {
        return new Setup(dir, List.of(servers));
    }

    private AgentKit(Setup setup) {
        var time = InstantSource.system();
        var all = new TreeMap<>(Map.of("PATH", System.getenv("PATH"), "HOME", System.getenv("HOME")));
        all.putAll(setup.environment);
        var environment = HostEnvironment.of(all);
        var data = new DataDirectory(setup.dir, Users::effectiveId);
        var secrets = new SecretRegistry();
        var surroundings = new Surroundings(
                new Launcher(),
                environment,
                new SecretResolver(environment, new CredentialStore(setup.dir, data::create)),
                secrets,
                new DiscoveryFiles(data::run, () -> data.createRun() == null ? data.run() : null),
                time);
        var entries = new ArrayList<ServerEntry>();
        setup.servers.forEach(server -> entries.add(server.entry()));
        var pool = new ServerPool(new Config(entries, Limits.standard(), Timeouts.standard()), surroundings);
        var file = setup.dir.resolve("postern.db");
        store = new LazyStore(() -> Store.open(file, setup.owners, time));
        var ids = new Ids(time);
        var calls = new CallService(new DurableCallLedger(store, Retention.STANDARD), ids, time);
        var shared = new ArrayList<ToolSource>(pool.supervisors());
        shared.add(new BuiltinSource(store, secrets::redactor, time));
        var runs = new AgentRuns(
                new AgentRuns.Means(
                        calls,
                        store,
                        models(setup.contextTokens),
                        secrets::redactor,
                        new TokenCount(text -> text.length() / 4 + 1),
                        new AgentRuns.Means.Clock(ids, time)),
                new AgentRuns.Supplies(shared, setup.own),
                setup.limits);
        host = new LocalHost(pool, calls, () -> runs);
        records = new StoredRecords(() -> new StoredRecords.Opened(Store.open(file, setup.owners, time), false));
    }

    private Models models(long contextTokens) {
        return new Models() {
            @Override
            public Answer<ModelInUse> model() {
                return new Answer.Here<>(new ModelInUse(model, contextTokens, 1_000));
            }

            @Override
            public void close() {
                model.close();
            }
        };
    }

    /// Who answers from now on; what was asked is kept.
    AgentKit answering(Approver.Verdict... verdicts) {
        var left = new ArrayList<>(List.of(verdicts));
        approver = (question, cancellation) -> {
            questions.add(question);
            return left.removeFirst();
        };
        return this;
    }

    AgentKit approver(Approver other) {
        approver = other;
        return this;
    }

    static ToolCall call(String server, String tool, String arguments) {
        var input = StrictJson.text(Json.object("{}").put("input", arguments));
        return FakeModel.call(ModelNames.of(server, tool), input);
    }

    RunReport run(String prompt) {
        return run(new RunOrder(Mode.CHAT, prompt, null, Set.of()), new Cancellation());
    }

    RunReport run(String prompt, RunOrder.@Nullable Session session) {
        return run(new RunOrder(Mode.CHAT, prompt, session, Set.of()), new Cancellation());
    }

    RunReport run(RunOrder order, Cancellation cancellation) {
        return here(host.run(order, (question, stop) -> approver.ask(question, stop), events::add, cancellation));
    }

    static <T> T here(Answer<T> answer) {
        return switch (answer) {
            case Answer.Here<T> here -> here.value();
            case Answer.Not<T> not ->
                throw new AssertionError(
                        not.problem().code() + ": " + not.problem().message());
        };
    }

    <T extends RunEvent> List<T> events(Class<T> kind) {
        synchronized (events) {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }

    @Override
    public void close() {
        records.close();
        host.close();
    }
}
