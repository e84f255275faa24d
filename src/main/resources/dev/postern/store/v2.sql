-- Why a run ended as it did.
ALTER TABLE runs ADD COLUMN code TEXT;
ALTER TABLE runs ADD COLUMN message TEXT;
ALTER TABLE runs ADD COLUMN next TEXT;

-- The runs of a session in their order.
DROP INDEX runs_of_session;
CREATE INDEX runs_of_session ON runs (session_id, id) WHERE session_id IS NOT NULL;

-- One request to the model. It was sent the run's system message and tools (runs.snapshot), then the messages of the
-- session from (first_run, first_position) up to last_position of this run, in the order of runs and positions and
-- without other system messages.
CREATE TABLE turns (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  first_run TEXT NOT NULL,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL,
  asked_ms INTEGER NOT NULL,
  answered_ms INTEGER,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  code TEXT,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
