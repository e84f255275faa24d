package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.postern.testkit.LeavesNothingBehind;
import dev.postern.testkit.ModelTurn;
import dev.postern.testkit.Script;
import dev.postern.wire.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that was given two secrets puts both, in every encoding, into whatever of it a model is shown.
@ExtendWith(LeavesNothingBehind.class)
class ChatCanaryIT {
    private static final String PLAIN = "Tk0123456789abcdefGHIJKLMNOPqrstuv";
    private static final String ODD = "p4ss/w\u00f6rd+\"quo\\ted\" & <x>=42";
    private static final List<String> TOOLS = List.of("text", "structure", "iserror", "rpcerror", "broken", "dies");

    @TempDir
    private Path dir;

    private static void holdsNoTrace(String where, String text) {
        var bare = text.replaceAll("\\s", "");
        for (var secret : List.of(PLAIN, ODD)) {
            for (var trace : Leaks.traces(secret)) {
                assertThat(bare.contains(trace)).as(where + " holds " + trace).isFalse();
            }
        }
    }

    private static String definition(String name, String description, String more) {
        return "{\"name\":\"" + name + "\",\"description\":\"" + description
                + "\",\"inputSchema\":{\"type\":\"object\",\"title\":\"" + description + "\"}" + more + "}";
    }

    private static Script script(String leaks) {
        var text = "\"content\":[{\"type\":\"text\",\"text\":\"" + leaks + "\"}]";
        var script = Script.empty();
        TOOLS.forEach(tool -> script.definition(definition(
                tool, leaks, tool.equals("broken") ? ",\"outputSchema\":{\"required\":[\"" + leaks + "\"]}" : "")));
        return script.on("call:text", "result {" + text + "}")
                .on(
                        "call:structure",
                        "result {\"content\":[],\"structuredContent\":{\"" + leaks + "\":\"" + leaks + "\"}}")
                .on("call:iserror", "result {" + text + ",\"isError\":true}")
                .on(
                        "call:rpcerror",
                        "raw {\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-1,\"message\":\"" + leaks + "\"}}")
                .on("call:broken", "result {\"content\":[],\"structuredContent\":{}}")
                .on("call:dies", "exit 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "gemini"})
    @Tag("SEC-5")
    @Tag("RES-4")
    void noFormOfASecretReachesTheModel(String provider) throws IOException {
        var leaks = new ArrayList<>(Leaks.of(PLAIN));
        leaks.addAll(Leaks.of(ODD));
        var text = Leaks.quoted(" " + String.join(" ; ", leaks) + " ");
        try (var kit = new ChatKit(dir).provider(provider)) {
            var script = script(text).era("legacy");
            var server = kit.server("s", script, TOOLS.toArray(String[]::new)).put("approval", "auto");
            var args = JsonNodeFactory.instance.arrayNode();
            script.args().subList(0, script.args().size() - 1).forEach(args::add);
            args.add("@" + Files.writeString(dir.resolve("script"), script.text()));
            server.set("args", args);
            server.withObject("/environment/ONE").put("env", "CANARY_ONE");
            server.withObject("/environment/TWO").put("env", "CANARY_TWO");
            kit.configure();
            TOOLS.forEach(tool -> kit.model.then(kit.call("s", tool, ChatKit.object())));
            kit.model.then(ModelTurn.text("Nothing to see, ", "says " + PLAIN + "."));

            var ended = kit.postern("chat", "new", "Show me " + ODD)
                    .with("CANARY_ONE", PLAIN)
                    .with("CANARY_TWO", ODD)
                    .with("LC_ALL", "C.UTF-8")
                    .run();

            assertThat(ended.exit()).as("%s", ended).isEqualTo(6);
            assertThat(kit.model.asked()).hasSize(TOOLS.size() + 1);
            for (int i = 0; i < kit.model.asked().size(); i++) {
                var body = StrictJson.text(kit.model.asked().get(i).body());
                holdsNoTrace("request " + i + " to the model", body);
                assertThat(body).contains("[redacted:");
            }
            holdsNoTrace("what was printed", ended.out() + ended.err());
            try (var files = Files.walk(kit.data)) {
                for (var file : files.filter(Files::isRegularFile).toList()) {
                    holdsNoTrace(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                }
            }
        }
    }
}
