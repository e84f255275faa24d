package dev.postern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.wire.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("CLI-7")
class DemoServerTest {
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private final PipedOutputStream toServer = new PipedOutputStream();
    private final Pipe fromServer;
    private final BufferedReader answers;
    private Thread serving = new Thread();

    DemoServerTest() throws IOException {
        fromServer = Pipe.open();
        answers = new BufferedReader(Channels.newReader(fromServer.source(), StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        var server = new DemoServer(
                new PipedInputStream(toServer, 1 << 16), Channels.newOutputStream(fromServer.sink()), "s3cret-token");
        serving = Thread.ofVirtual().start(server::serve);
    }

    @AfterEach
    void endsWithItsInput() throws Exception {
        toServer.close();
        serving.join();
    }

    @Test
    void shakesHandsInTheRevisionThatWasAskedFor() throws IOException {
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}");

        assertThat(answer().at("/result/protocolVersion").textValue()).isEqualTo("2025-06-18");
    }

    @Test
    void answersItsNewestRevisionToAnUnknownOne() throws IOException {
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"1999-01-01\"}}");

        assertThat(answer().at("/result/protocolVersion").textValue()).isEqualTo("2025-11-25");
    }

    @Test
    void isDiscoveredWithoutAHandshake() throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" + META + "}}");

        var result = answer().get("result");
        assertThat(result.at("/supportedVersions/0").textValue()).isEqualTo("2026-07-28");
        assertThat(result.get("resultType").textValue()).isEqualTo("complete");
    }

    @Test
    void namesTheRevisionsItSpeaksWhenAskedForAnother() throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{"
                + META.replace("2026-07-28", "2030-01-01") + "}}");

        var error = answer().get("error");
        assertThat(error.get("code").intValue()).isEqualTo(-32022);
        assertThat(error.at("/data/supported/0").textValue()).isEqualTo("2026-07-28");
    }

    @Test
    void wantsTheCapabilitiesOfAStatelessClient() throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}");

        assertThat(answer().at("/error/code").intValue()).isEqualTo(-32602);
    }

    @Test
    void listsItsToolsInBothEras() throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        var handshake = answer().get("result");
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{" + META + "}}");
        var stateless = answer().get("result");

        assertThat(handshake.get("tools")).isEqualTo(stateless.get("tools"));
        assertThat(handshake.get("tools").findValuesAsText("name"))
                .contains("echo", "add", "show_token", "slow", "delete_everything");
        assertThat(stateless.get("cacheScope").textValue()).isEqualTo("public");
        assertThat(handshake.has("resultType")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo | {'text':'hé😀'} | hé😀",
                "add | {'a':0.1,'b':0.2} | 0.3",
                "add | {'a':123456789012345678901234567890,'b':1} | 123456789012345678901234567891",
                "show_token | {} | The token I was given is s3cret-token.",
                "slow | {'seconds':0} | Done after 0 s."
            })
    void runsItsTools(String tool, String arguments, String text) throws IOException {
        call(7, tool, arguments);

        assertThat(answer().at("/result/content/0/text").textValue()).isEqualTo(text);
    }

    @Test
    void answersAStructuredResultWithItsText() throws IOException {
        call(7, "add", "{'a':2,'b':40}");

        assertThat(answer().at("/result/structuredContent/sum").intValue()).isEqualTo(42);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo | {}",
                "add | {'a':'x','b':1}",
                "add | {'a':1e400,'b':1}",
                "add | {'a':1e-400,'b':1}",
                "slow | {'seconds':-1}",
                "slow | {'seconds':61}",
                "fail | {}"
            })
    void answersAnErrorOfTheToolForBadArguments(String tool, String arguments) throws IOException {
        call(7, tool, arguments);

        assertThat(answer().at("/result/isError").booleanValue()).isTrue();
    }

    @Test
    void answersTheSameIdWhateverItsType() throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":\"x-1\",\"method\":\"ping\"}");

        assertThat(answer().get("id").textValue()).isEqualTo("x-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbage | -32700",
                "[] | -32600",
                "{} | -32600",
                "{'id':null,'method':'ping'} | -32600",
                "{'id':1,'method':'nope'} | -32601",
                "{'id':1,'method':'tools/call','params':{}} | -32602",
                "{'id':1,'method':'tools/call','params':{'name':'echo','arguments':[]}} | -32602",
                "{'id':1,'method':'tools/call','params':{'name':'nope'}} | -32602",
                "{'id':1,'method':'server/discover'} | -32602"
            })
    void answersAnErrorToWhatItDoesNotUnderstand(String line, int code) throws IOException {
        send(line.replace('\'', '"'));

        assertThat(answer().at("/error/code").intValue()).isEqualTo(code);
    }

    @Test
    void answersWhileASlowCallRunsAndForgetsACancelledOne() throws IOException {
        call(1, "slow", "{'seconds':60}");
        call(2, "echo", "{'text':'quick'}");
        assertThat(answer().get("id").intValue()).isEqualTo(2);

        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        call(3, "echo", "{'text':'after'}");
        assertThat(answer().get("id").intValue()).isEqualTo(3);
    }

    private void call(int id, String tool, String arguments) throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments.replace('\'', '"') + "}}");
    }

    private void send(String line) throws IOException {
        toServer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        toServer.flush();
    }

    private JsonNode answer() throws IOException {
        var line = answers.readLine();
        assertThat(line).isNotNull();
        return ((StrictJson.Valid) StrictJson.parse(line)).value();
    }
}
