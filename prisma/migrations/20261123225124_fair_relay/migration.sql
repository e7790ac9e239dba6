-- AlterTable
ALTER TABLE "events" ADD COLUMN     "relay_error" TEXT,
ADD COLUMN     "relay_failures" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "after_sequence" BIGINT NOT NULL DEFAULT 0;

-- The relay takes its batches from all teams in turn.
CREATE INDEX "partial_events_waiting" ON "events" ("team_id", "id") WHERE "relayed_at" IS NULL;
DROP INDEX "partial_events_unrelayed";
