package dev.postern.host;

import dev.postern.testkit.Script;
import java.util.List;
import java.util.Random;

/// Makes servers that behave for a while and then don't. Confined to one thread.
final class SoakFaults {
    /// Each comes instead of the answer to one call, some with the answer.
    private static final List<List<String>> CALLS = List.of(
            List.of("nothing"),
            List.of("hang"),
            List.of("exit 0"),
            List.of("exit 1"),
            List.of("signal SEGV"),
            List.of("signal KILL"),
            List.of("close stdout"),
            List.of("close stderr", "answer"),
            List.of("endless 600000"),
            List.of("endless forever"),
            List.of("noise 80 this is no message"),
            List.of("noise 5 this is no message", "answer"),
            List.of("bytes \\xff\\xfe{\\x00\\n", "answer"),
            List.of("bytes {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\"", "exit 1"),
            List.of("notify 20000 notifications/message", "answer"),
            List.of("notify 2000 notifications/tools/list_changed", "answer"),
            List.of("ask sampling/createMessage", "ask roots/list", "answer"),
            List.of("stderr 3000000", "answer"),
            List.of("drip 20 {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{"),
            List.of("sleep 1500", "answer"),
            List.of("answer", "answer"),
            List.of("raw {\"jsonrpc\":\"2.0\",\"id\":999999,\"result\":{}}", "answer"),
            List.of("raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{},\"error\":{}}", "answer"),
            List.of("result {}"),
            List.of("result {\"content\":[{\"type\":\"text\",\"text\":1e400}]}"),
            List.of("error -32603 something went wrong"),
            List.of("spawn plain", "answer"),
            List.of("spawn session", "exit 1"),
            List.of("spawn daemon", "answer"));

    private static final List<List<String>> STARTS =
            List.of(List.of("exit 3"), List.of("sleep 500"), List.of("noise 70 a banner"), List.of("stderr 1000000"));

    private static final List<String> TOOLS = List.of("echo", "fail", "structured");

    private final Random random;

    SoakFaults(Random random) {
        this.random = random;
    }

    Script script() {
        var script = Script.empty().tool("echo").tool("fail").tool("structured");
        script.era(pick(List.of("both", "legacy", "modern")));
        if (one(12)) {
            pick(STARTS).forEach(script::atStart);
        }
        if (one(6)) {
            script.ignoresEof();
        }
        if (one(6)) {
            script.ignoresTerm();
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String call = "call:" + pick(TOOLS) + "#" + (2 + random.nextInt(25));
            pick(CALLS).forEach(step -> script.on(call, step));
        }
        return script;
    }

    boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
