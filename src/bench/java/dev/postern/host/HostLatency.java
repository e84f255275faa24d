package dev.postern.host;

import dev.postern.base.Retention;
import dev.postern.call.CallLedger;
import dev.postern.call.CallReport;
import dev.postern.call.DurableCallLedger;
import dev.postern.call.MemoryCallLedger;
import dev.postern.call.Outcome;
import dev.postern.store.LazyStore;
import dev.postern.store.SqliteLibrary;
import dev.postern.store.Store;
import dev.postern.testkit.Script;
import dev.postern.testkit.SoleOwner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// What a call costs more at `host` than a bare round trip through a pipe to the same server, one call at a time,
/// and how many calls go through with several in flight. `deploy/bench/host.sh` runs it.
final class HostLatency {
    private static final int BLOCK = 250;
    private static final int BLOCKS = 12;
    private static final int WARM_UP = 4;
    private static final int[] IN_FLIGHT = {1, 16, 128};
    private static final int MANY = 8_000;
    private static final String ARGUMENTS = "{\"text\":\"hello\"}";

    private HostLatency() {}

    /// One way of calling the echo tool.
    interface Way {
        void call() throws IOException;
    }

    public static void main(String... args) throws Exception {
        Path dir = Files.createTempDirectory("postern-bench");
        try (var raw = new RawPipe();
                var memory = host(dir.resolve("memory"), new MemoryCallLedger());
                var ledger = durable(dir.resolve("postern.db"));
                var durable = host(dir.resolve("durable"), ledger)) {
            var names = List.of("bare pipe", "host, records in memory", "host, records on the disk");
            compare(names, List.of(raw::call, () -> checked(memory), () -> checked(durable)));
            throughput(names.get(1), memory);
            throughput(names.get(2), durable);
        }
        remove(dir);
    }

    private static void remove(Path dir) throws IOException {
        try (var files = Files.walk(dir)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static HostKit host(Path dir, CallLedger ledger) {
        return HostKit.of(
                dir,
                ledger,
                HostKit.Server.of("bench", Script.empty().tool("echo")).parallel());
    }

    private static DurableCallLedger durable(Path file) {
        SqliteLibrary.unpackedIn(System.getProperty("postern.sqlite"));
        return new DurableCallLedger(
                new LazyStore(() -> Store.open(file, new SoleOwner(), InstantSource.system())), Retention.STANDARD);
    }

    private static void checked(HostKit kit) {
        CallReport report = kit.call("bench", "echo", ARGUMENTS);
        if (!(report.outcome() instanceof Outcome.Succeeded)) {
            throw new IllegalStateException(report.outcome().toString());
        }
    }

    /// Alternates between the ways in blocks, so that what else the machine does meets all of them.
    private static void compare(List<String> names, List<Way> ways) throws IOException {
        List<long[]> times = new ArrayList<>();
        ways.forEach(way -> times.add(new long[BLOCK * BLOCKS]));
        for (int block = -WARM_UP; block < BLOCKS; block++) {
            for (int way = 0; way < ways.size(); way++) {
                for (int i = 0; i < BLOCK; i++) {
                    long begin = System.nanoTime();
                    ways.get(way).call();
                    long took = System.nanoTime() - begin;
                    if (block >= 0) {
                        times.get(way)[block * BLOCK + i] = took;
                    }
                }
            }
        }
        System.out.printf(Locale.ROOT, "%-28s %9s %9s   ms, one call at a time%n", "", "p50", "p99");
        for (int way = 0; way < ways.size(); way++) {
            long[] sorted = times.get(way);
            Arrays.sort(sorted);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %9.3f %9.3f%n",
                    names.get(way),
                    sorted[sorted.length / 2] / 1e6,
                    sorted[sorted.length * 99 / 100] / 1e6);
        }
    }

    private static void throughput(String name, HostKit kit) throws InterruptedException {
        for (int width : IN_FLIGHT) {
            var left = new AtomicInteger(MANY);
            long begin = System.nanoTime();
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < width; i++) {
                    var _ = callers.submit(() -> {
                        while (left.getAndDecrement() > 0) {
                            checked(kit);
                        }
                    });
                }
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(Locale.ROOT, "%-28s %9.0f calls/s with %d in flight%n", name, MANY / seconds, width);
        }
    }

    /// The server on its own, spoken to over its pipes by the least code that will do.
    private static final class RawPipe implements AutoCloseable {
        private final Process process;
        private final OutputStream to;
        private final BufferedReader from;
        private int id;

        RawPipe() throws IOException {
            var script = Script.empty().tool("echo");
            var command = new ArrayList<>(List.of(script.command()));
            command.addAll(script.args());
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            to = process.getOutputStream();
            from = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            exchange(
                    "initialize",
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}");
            to.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
                    .getBytes(StandardCharsets.UTF_8));
            to.flush();
        }

        void call() throws IOException {
            exchange("tools/call", "{\"name\":\"echo\",\"arguments\":" + ARGUMENTS + "}");
        }

        private void exchange(String method, String params) throws IOException {
            id++;
            to.write(("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params
                            + "}\n")
                    .getBytes(StandardCharsets.UTF_8));
            to.flush();
            String line = from.readLine();
            if (line == null || !line.contains("\"result\"")) {
                throw new IOException("no result: " + line);
            }
        }

        @Override
        public void close() throws IOException {
            to.close();
            process.destroy();
        }
    }
}
