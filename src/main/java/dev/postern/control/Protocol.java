package dev.postern.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.base.ErrorCode;
import dev.postern.base.Problem;
import dev.postern.wire.Message;

/// The words and numbers of the control protocol; see the package for what they mean.
final class Protocol {
    /// Raised with every change that an older peer would misunderstand.
    static final int VERSION = 1;

    /// One line, as for any other peer. A command line that does not fit is run locally.
    static final int FRAME_BYTES = 262_144;

    /// Bytes in one `output` or one answer to `read`: their base64 is well below a frame.
    static final int CHUNK_BYTES = 32_768;

    static final String RUN = "run";
    static final String STATUS = "status";
    static final String STOP = "stop";
    static final String TAKEN = "taken";
    static final String CANCEL = "cancel";
    static final String OUTPUT = "output";
    static final String FLUSH = "flush";
    static final String READ = "read";

    static final String CONTROL = "control";
    static final String STREAM = "stream";
    static final String BASE64 = "base64";
    static final String ERROR = "error";
    static final String AVAILABLE = "available";
    static final String MISSING = "missing";
    static final String EXIT_CODE = "exitCode";
    static final String PATIENCE = "patienceMillis";
    static final String PROCESS = "process";

    /// The worker does not take this command, which is to be run locally.
    static final int NOT_TAKEN = -32_001;

    static final int REFUSED = -32_000;
    static final int NO_SUCH_METHOD = -32_601;
    static final int BAD_PARAMETERS = -32_602;

    private Protocol() {}

    static Message.Failure failure(JsonNode id, int code, Problem problem) {
        var data = JsonNodeFactory.instance
                .objectNode()
                .put("code", problem.code().code())
                .put("next", problem.next());
        return new Message.Failure(id, code, problem.message(), data);
    }

    /// What a failure says, or that it says nothing we know.
    static Problem problem(Message.Failure failure) {
        var data = failure.data() == null ? JsonNodeFactory.instance.objectNode() : failure.data();
        for (var code : ErrorCode.values()) {
            if (code.code().equals(data.path("code").asText())) {
                return new Problem(code, failure.message(), data.path("next").asText());
            }
        }
        return failure.code() == NO_SUCH_METHOD
                ? otherVersion()
                : new Problem(
                        ErrorCode.WORKER_REFUSED,
                        "The worker refused: " + failure.message() + ".",
                        "Run `postern worker restart`.");
    }

    static Problem otherVersion() {
        return new Problem(
                ErrorCode.WORKER_VERSION,
                "The worker that owns this data directory speaks another version of the control protocol than this"
                        + " program.",
                "Run `postern worker restart`.");
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
