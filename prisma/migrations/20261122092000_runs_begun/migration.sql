-- How many runs of a throttled function began lately.
CREATE INDEX "engine_runs_function_id_started_at_idx" ON "engine_runs"("function_id", "started_at");
