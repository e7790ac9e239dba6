-- The engine's tables as in prisma/schema.prisma, for tests that need no other tables.
CREATE TABLE engine_functions (
  id TEXT NOT NULL,
  config TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE engine_events (
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  payload TEXT NOT NULL,
  ts TIMESTAMPTZ(3) NOT NULL,
  received_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX engine_events_received_at_idx ON engine_events (received_at);
CREATE TABLE engine_runs (
  id TEXT NOT NULL,
  function_id TEXT NOT NULL,
  status TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_name TEXT NOT NULL,
  event TEXT NOT NULL,
  concurrency_key TEXT,
  done_steps INTEGER NOT NULL DEFAULT 0,
  output TEXT,
  error TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL,
  started_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  PRIMARY KEY (id)
);
CREATE INDEX engine_runs_function_id_id_idx ON engine_runs (function_id, id);
CREATE INDEX engine_runs_function_id_started_at_idx ON engine_runs (function_id, started_at);
CREATE INDEX engine_runs_status_id_idx ON engine_runs (status, id);
CREATE INDEX engine_runs_event_id_idx ON engine_runs (event_id);
CREATE INDEX engine_runs_ended_at_idx ON engine_runs (ended_at);
CREATE TABLE engine_steps (
  run_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  op TEXT NOT NULL,
  status TEXT NOT NULL,
  memo TEXT,
  position INTEGER,
  created_at TIMESTAMPTZ(3) NOT NULL,
  ended_at TIMESTAMPTZ(3),
  PRIMARY KEY (run_id, id)
);
CREATE TABLE engine_jobs (
  id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  function_id TEXT NOT NULL,
  step_id TEXT,
  concurrency_key TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  run_at TIMESTAMPTZ(3) NOT NULL,
  lease_token TEXT,
  lease_until TIMESTAMPTZ(3),
  last_error TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX engine_jobs_function_id_run_at_idx ON engine_jobs (function_id, run_at);
CREATE INDEX engine_jobs_run_id_idx ON engine_jobs (run_id);
CREATE INDEX engine_jobs_function_id_concurrency_key_run_at_idx ON engine_jobs (function_id, concurrency_key, run_at);
CREATE TABLE engine_cron_ticks (
  function_id TEXT NOT NULL,
  minute TIMESTAMPTZ(3) NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (function_id, minute)
);
CREATE INDEX engine_jobs_leased_idx ON engine_jobs (function_id, concurrency_key) WHERE lease_until IS NOT NULL;
