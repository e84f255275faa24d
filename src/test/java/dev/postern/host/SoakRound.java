package dev.postern.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.base.Cancellation;
import dev.postern.base.Timeout;
import dev.postern.call.CallReport;
import dev.postern.host.HostKit.Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One host over eight faulty servers for some seconds, three callers to each, while processes are stopped,
/// continued and killed; then the host is closed, often with calls in flight, and every call is accounted for.
final class SoakRound {
    private static final int SERVERS = 8;
    private static final int CALLERS = 3 * SERVERS;
    private static final Pattern NONCE = Pattern.compile("nonce-[0-9]+-[0-9]+");

    private final Path directory;
    private final Random random;
    private final SoakLedger ledger = new SoakLedger();
    private final CountDownLatch over = new CountDownLatch(1);

    /// One call as its caller saw it.
    private record Call(String nonce, CallReport report) {}

    SoakRound(Path directory, long seed) {
        this.directory = directory;
        this.random = new Random(seed);
    }

    /// How many calls ended in each outcome.
    Map<String, Integer> run(Duration length) throws Exception {
        var calls = new ArrayList<Call>();
        try (var kit = HostKit.of(directory.resolve("data"), ledger, servers());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var callers = new ArrayList<Future<List<Call>>>();
            for (int i = 0; i < CALLERS; i++) {
                int caller = i;
                long seed = random.nextLong();
                callers.add(threads.submit(() -> call(kit, threads, caller, new Random(seed))));
            }
            var dice = new Random(random.nextLong());
            var mischief = threads.submit(() -> disturb(kit.host, dice));
            over.await(length.toMillis(), TimeUnit.MILLISECONDS);
            if (random.nextBoolean()) {
                kit.host.stop();
            }
            over.countDown();
            for (var caller : callers) {
                calls.addAll(caller.get(2, TimeUnit.MINUTES));
            }
            mischief.get(2, TimeUnit.MINUTES);
        }
        return account(calls);
    }

    private Server[] servers() {
        var faults = new SoakFaults(random);
        var servers = new Server[SERVERS];
        for (int i = 0; i < SERVERS; i++) {
            var script = faults.script().record(record(i));
            servers[i] = Server.of("s" + i, script)
                    .tools("echo", "fail", "structured", "ghost")
                    .timeout(Timeout.CALL, Duration.ofMillis(faults.one(2) ? 1_000 : 4_000))
                    .timeout(Timeout.CLOSE, Duration.ofSeconds(2));
            if (faults.one(2)) {
                servers[i].parallel();
            }
        }
        return servers;
    }

    private Path record(int server) {
        return directory.resolve("record-" + server);
    }

    /// Calls one server after the other until time is up, with pauses, so that a failed server is not all it does.
    private List<Call> call(HostKit kit, ExecutorService threads, int caller, Random dice) throws Exception {
        var calls = new ArrayList<Call>();
        while (over.getCount() > 0) {
            var nonce = "nonce-" + caller + "-" + calls.size();
            var server = "s" + (dice.nextInt(4) == 0 ? dice.nextInt(SERVERS) : caller % SERVERS);
            var cancellation = new Cancellation();
            if (dice.nextInt(5) == 0) {
                int patience = dice.nextInt(60);
                var _ = threads.submit(() -> {
                    over.await(patience, TimeUnit.MILLISECONDS);
                    cancellation.request();
                    return null;
                });
            }
            var report = switch (dice.nextInt(12)) {
                case 0 -> kit.call(server, "forbidden", "{\"text\":\"" + nonce + "\"}", cancellation);
                case 1 -> kit.call(server, "echo", "{\"text\":[\"" + nonce + "\"]}", cancellation);
                case 2 -> kit.call(server, "ghost", "{\"text\":\"" + nonce + "\"}", cancellation);
                case 3, 4 -> kit.call(server, "fail", "{\"text\":\"" + nonce + "\"}", cancellation);
                case 5 -> kit.call(server, "structured", "{\"value\":\"" + nonce + "\"}", cancellation);
                default -> kit.call(server, "echo", "{\"text\":\"" + nonce + "\"}", cancellation);
            };
            calls.add(new Call(nonce, report));
            over.await(5 + dice.nextInt(60), TimeUnit.MILLISECONDS);
        }
        return calls;
    }

    /// Stops, continues and kills processes of servers.
    private @Nullable Void disturb(Host host, Random dice) throws Exception {
        while (!over.await(300 + dice.nextInt(900), TimeUnit.MILLISECONDS)) {
            var running = host.status().servers().stream()
                    .map(Host.ServerStatus::pid)
                    .filter(pid -> pid != null && ours(pid))
                    .toList();
            if (!running.isEmpty()) {
                long pid = running.get(dice.nextInt(running.size()));
                if (dice.nextInt(4) == 0) {
                    signal("-KILL", pid);
                } else {
                    signal("-STOP", pid);
                    over.await(200 + dice.nextInt(2_000), TimeUnit.MILLISECONDS);
                    signal("-CONT", pid);
                }
            }
        }
        return null;
    }

    private static boolean ours(long pid) {
        return ProcessHandle.current().descendants().anyMatch(process -> process.pid() == pid);
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        if (ours(pid)) {
            new ProcessBuilder("kill", signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    private Map<String, Integer> account(List<Call> calls) throws IOException {
        var heard = heard();
        var known = new HashMap<String, String>();
        var outcomes = new TreeMap<String, Integer>();
        for (var call : calls) {
            var word = call.report().outcome().word();
            int times = heard.getOrDefault(call.nonce(), 0);
            var recorded = ledger.of(call.report().callId());
            switch (word) {
                case "succeeded", "failed" -> assertThat(times).as("%s", call).isEqualTo(1);
                case "refused", "not-sent" -> assertThat(times).as("%s", call).isZero();
                default -> assertThat(times).as("%s", call).isBetween(0, 1);
            }
            switch (word) {
                case "refused" -> assertThat(recorded).as("%s", call).containsExactly("refused");
                case "not-sent" -> assertThat(recorded).as("%s", call).isIn(List.of(word), List.of("intended", word));
                default -> assertThat(recorded).as("%s", call).containsExactly("intended", word);
            }
            assertThat(known.put(call.nonce(), word)).isNull();
            outcomes.merge(word, 1, Integer::sum);
        }
        assertThat(ledger.calls()).as("calls recorded").isEqualTo(calls.size());
        assertThat(known.keySet()).as("calls that servers were sent").containsAll(heard.keySet());
        return outcomes;
    }

    /// How often the servers were sent each call, cut-off lines of killed servers included.
    private Map<String, Integer> heard() throws IOException {
        var heard = new HashMap<String, Integer>();
        for (int i = 0; i < SERVERS; i++) {
            if (Files.exists(record(i))) {
                var text = new String(Files.readAllBytes(record(i)), StandardCharsets.UTF_8);
                NONCE.matcher(text).results().forEach(found -> heard.merge(found.group(), 1, Integer::sum));
            }
        }
        return heard;
    }
}
