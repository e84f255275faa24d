-- Times are milliseconds since 1970 in UTC; ids are UUIDv7 with a prefix, so that they sort by time. An owner is a
-- process: pid, start, boot and PID namespace.

CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  run_trigger TEXT NOT NULL CHECK (run_trigger IN ('cli', 'api', 'schedule')),
  mode TEXT NOT NULL CHECK (mode IN ('chat', 'api', 'scheduled', 'command')),
  session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  task_id TEXT,
  snapshot TEXT,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  state TEXT CHECK (state IN ('completed', 'failed', 'cancelled', 'limit')),
  model_turns INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  owner TEXT NOT NULL,
  CHECK ((state IS NULL) = (ended_ms IS NULL))
) STRICT;

-- What start-up recovery looks for: these hold open runs and calls only, however many have ended.
CREATE INDEX runs_open ON runs (owner) WHERE state IS NULL;
CREATE INDEX runs_of_session ON runs (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX runs_of_task ON runs (task_id, started_ms) WHERE task_id IS NOT NULL;

CREATE TABLE messages (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  content TEXT NOT NULL,
  written_ms INTEGER NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT;

-- Server and tool stand here by their own names, so that a record can be read without any catalog. Everything that
-- a server or a caller said is redacted before it gets here.
CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  model_name TEXT,
  tool_digest TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('chat', 'api', 'scheduled', 'command')),
  arguments TEXT,
  argument_bytes INTEGER,
  begun_ms INTEGER NOT NULL,
  intended_ms INTEGER,
  sent_ms INTEGER,
  settled_ms INTEGER,
  outcome TEXT CHECK (outcome IN ('succeeded', 'failed', 'refused', 'not-sent', 'unknown')),
  code TEXT,
  message TEXT,
  next TEXT,
  content TEXT,
  structured_content TEXT,
  truncated INTEGER NOT NULL DEFAULT 0,
  omitted_content TEXT,
  omitted_structured_content INTEGER NOT NULL DEFAULT 0,
  redacted INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER,
  owner TEXT NOT NULL,
  CHECK ((outcome IS NULL) = (settled_ms IS NULL))
) STRICT;

CREATE INDEX calls_of_run ON calls (run_id);
CREATE INDEX calls_open ON calls (owner) WHERE outcome IS NULL;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  asked_ms INTEGER NOT NULL,
  deadline_ms INTEGER NOT NULL,
  decided_ms INTEGER,
  decision TEXT CHECK (decision IN ('approved', 'approved-for-run', 'refused', 'expired')),
  CHECK ((decision IS NULL) = (decided_ms IS NULL))
) STRICT;

CREATE INDEX approvals_of_run ON approvals (run_id);

-- A fire time is claimed once, before it starts: the key is the proof.
CREATE TABLE fire_time_claims (
  task_id TEXT NOT NULL,
  fire_ms INTEGER NOT NULL,
  claimed_ms INTEGER NOT NULL,
  owner TEXT NOT NULL,
  run_id TEXT,
  PRIMARY KEY (task_id, fire_ms)
) STRICT, WITHOUT ROWID;
