package dev.postern.base;

/// The stable code of a [Problem]: public in `--json`, REST and records, never renamed once released.
public enum ErrorCode {
    INTERNAL("internal", ErrorKind.INTERNAL),
    STORAGE_UNWRITABLE("storage.unwritable", ErrorKind.INTERNAL),
    STORAGE_UNREADABLE("storage.unreadable", ErrorKind.INTERNAL),
    STORAGE_DAMAGED("storage.damaged", ErrorKind.INTERNAL),
    STORAGE_NEWER("storage.newer", ErrorKind.INTERNAL),
    DOCTOR_FINDINGS("doctor.findings", ErrorKind.INTERNAL),

    USAGE("usage", ErrorKind.USAGE),
    USAGE_UNKNOWN_SERVER("usage.unknown-server", ErrorKind.USAGE),
    USAGE_ARGUMENTS("usage.arguments", ErrorKind.USAGE),
    USAGE_CREDENTIAL("usage.credential", ErrorKind.USAGE),
    USAGE_UNKNOWN_RECORD("usage.unknown-record", ErrorKind.USAGE),

    CONFIG_INVALID("config.invalid", ErrorKind.CONFIGURATION),
    CONFIG_UNREADABLE("config.unreadable", ErrorKind.CONFIGURATION),
    DATADIR_UNSAFE("datadir.unsafe", ErrorKind.CONFIGURATION),
    DATADIR_UNUSABLE("datadir.unusable", ErrorKind.CONFIGURATION),

    SECRET_MISSING("secret.missing", ErrorKind.UNAVAILABLE),
    SECRET_REFUSED("secret.refused", ErrorKind.UNAVAILABLE),
    SECRET_SHORT("secret.short", ErrorKind.UNAVAILABLE),

    SERVER_UNSUPPORTED("server.unsupported", ErrorKind.UNAVAILABLE),
    SERVER_FAILED("server.failed", ErrorKind.UNAVAILABLE),
    SERVER_BUSY("server.busy", ErrorKind.UNAVAILABLE),
    START_COMMAND_NOT_FOUND("start.command-not-found", ErrorKind.UNAVAILABLE),
    START_SPAWN("start.spawn", ErrorKind.UNAVAILABLE),
    START_EXITED("start.exited", ErrorKind.UNAVAILABLE),
    START_DEADLINE("start.deadline", ErrorKind.UNAVAILABLE),
    START_VERSION("start.version", ErrorKind.UNAVAILABLE),
    START_REFUSED("start.refused", ErrorKind.UNAVAILABLE),
    SEND_FAILED("send.failed", ErrorKind.UNAVAILABLE),

    WIRE_NOISE("wire.noise", ErrorKind.UNAVAILABLE),
    WIRE_FRAME_TOO_LARGE("wire.frame-too-large", ErrorKind.UNAVAILABLE),
    WIRE_PROTOCOL("wire.protocol", ErrorKind.UNAVAILABLE),
    WIRE_CLOSED("wire.closed", ErrorKind.UNAVAILABLE),

    DISCOVERY_LIMIT("discovery.limit", ErrorKind.UNAVAILABLE),
    DISCOVERY_CURSOR("discovery.cursor", ErrorKind.UNAVAILABLE),
    DISCOVERY_DUPLICATE("discovery.duplicate", ErrorKind.UNAVAILABLE),
    DISCOVERY_INVALID("discovery.invalid", ErrorKind.UNAVAILABLE),
    DISCOVERY_REFUSED("discovery.refused", ErrorKind.UNAVAILABLE),
    DISCOVERY_DEADLINE("discovery.deadline", ErrorKind.UNAVAILABLE),

    POLICY_DISABLED("policy.disabled", ErrorKind.REFUSED),
    POLICY_NOT_ALLOWED("policy.not-allowed", ErrorKind.REFUSED),
    POLICY_NOT_SCHEDULED("policy.not-scheduled", ErrorKind.REFUSED),
    POLICY_APPROVAL("policy.approval", ErrorKind.REFUSED),
    TOOL_MISSING("tool.missing", ErrorKind.REFUSED),
    TOOL_EXCLUDED("tool.excluded", ErrorKind.REFUSED),
    ARGUMENTS_INVALID("arguments.invalid", ErrorKind.REFUSED),
    ARGUMENTS_LIMIT("arguments.limit", ErrorKind.REFUSED),

    RESULT_ERROR("result.error", ErrorKind.FAILED),
    RESULT_RPC_ERROR("result.rpc-error", ErrorKind.FAILED),
    RESULT_INPUT_REQUIRED("result.input-required", ErrorKind.FAILED),
    RESULT_INVALID("result.invalid", ErrorKind.FAILED),

    UNKNOWN_DEADLINE("unknown.deadline", ErrorKind.UNKNOWN),
    UNKNOWN_CANCELLED("unknown.cancelled", ErrorKind.UNKNOWN),
    UNKNOWN_ENDED("unknown.ended", ErrorKind.UNKNOWN),
    UNKNOWN_MALFORMED("unknown.malformed", ErrorKind.UNKNOWN),
    UNKNOWN_UNPROCESSED("unknown.unprocessed", ErrorKind.UNKNOWN),
    UNKNOWN_OWNER_DIED("unknown.owner-died", ErrorKind.UNKNOWN),

    WORKER_RUNNING("worker.running", ErrorKind.WORKER),
    WORKER_ABSENT("worker.absent", ErrorKind.WORKER),
    WORKER_FAILED("worker.failed", ErrorKind.WORKER),
    WORKER_ENDED("worker.ended", ErrorKind.WORKER),
    WORKER_BUSY("worker.busy", ErrorKind.WORKER),
    WORKER_REFUSED("worker.refused", ErrorKind.WORKER),
    WORKER_VERSION("worker.version", ErrorKind.WORKER),

    RUN_SESSION_BUSY("run.session-busy", ErrorKind.REFUSED),
    RUN_CONTEXT("run.context", ErrorKind.REFUSED),
    RUN_TURNS("run.turns", ErrorKind.REFUSED),
    RUN_CALLS("run.calls", ErrorKind.REFUSED),
    RUN_DEADLINE("run.deadline", ErrorKind.REFUSED),
    RUN_OUTPUT("run.output", ErrorKind.REFUSED),
    RUN_BATCH("run.batch", ErrorKind.REFUSED),
    RUN_OWNER_DIED("run.owner-died", ErrorKind.INTERNAL),

    MODEL_ABSENT("model.absent", ErrorKind.MODEL),
    MODEL_AUTHENTICATION("model.authentication", ErrorKind.MODEL),
    MODEL_RATE_LIMIT("model.rate-limit", ErrorKind.MODEL),
    MODEL_CONTEXT_OVERFLOW("model.context-overflow", ErrorKind.MODEL),
    MODEL_UNAVAILABLE("model.unavailable", ErrorKind.MODEL),
    MODEL_DEADLINE("model.deadline", ErrorKind.MODEL),
    MODEL_INVALID("model.invalid", ErrorKind.MODEL),

    CANCELLED("cancelled", ErrorKind.CANCELLED);

    private final String code;
    private final ErrorKind kind;

    ErrorCode(String code, ErrorKind kind) {
        this.code = code;
        this.kind = kind;
    }

    /// The text that programs match on, such as `policy.not-allowed`.
    public String code() {
        return code;
    }

    public ErrorKind kind() {
        return kind;
    }
}
