-- Partial indexes, which the Prisma schema cannot express. Their names begin with `partial_`, so that
-- `npm run migrate -- create` knows not to drop them.

-- A property has exactly one active default packet; two concurrent set-defaults cannot both win.
CREATE UNIQUE INDEX "partial_packets_one_default" ON "packets" ("property_id") WHERE "is_default" AND "status" = 'active';

-- The queues: only what waits is in the index, however long the history grows.
CREATE INDEX "partial_events_unrelayed" ON "events" ("id") WHERE "relayed_at" IS NULL;
CREATE INDEX "partial_deliveries_pending" ON "webhook_deliveries" ("due_at", "id") WHERE "status" = 'pending';
CREATE INDEX "partial_deliveries_endpoint_pending" ON "webhook_deliveries" ("endpoint_id", "due_at") WHERE "status" = 'pending';
CREATE INDEX "partial_mail_queued" ON "mail_messages" ("due_at") WHERE "status" = 'queued';
CREATE INDEX "partial_signatures_unsealed" ON "signatures" ("created_at") WHERE "sealed_at" IS NULL AND "redacted_at" IS NULL;

-- The embedded engine counts a function's running jobs: only those that hold a lease.
CREATE INDEX "partial_engine_jobs_leased" ON "engine_jobs" ("function_id", "concurrency_key") WHERE "lease_until" IS NOT NULL;
