-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "wake_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "processes" (
    "id" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "start" TEXT,
    "place" TEXT NOT NULL,
    "beat" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "cron_at" TIMESTAMPTZ(3),

    CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "lease_token" TEXT,
ADD COLUMN     "wake_at" TIMESTAMPTZ(3);

-- Runs of functions that are no more: what they were for is in the rows, and is asked for anew.
UPDATE "engine_runs" SET "status" = 'cancelled', "pending" = 0, "ended_at" = now()
WHERE "status" IN ('queued', 'running') AND "function_id" IN (
  'threshold-webhook-delivery', 'threshold-mail-delivery', 'threshold-queue-sweep', 'threshold-calendar-sync', 'threshold-auto-send',
  'threshold-reminders', 'threshold-late-alerts', 'threshold-expiry', 'threshold-seal-unsealed');
DELETE FROM "engine_jobs" j USING "engine_runs" r WHERE r."id" = j."run_id" AND r."status" = 'cancelled';
DELETE FROM "engine_waits" w USING "engine_runs" r WHERE r."id" = w."run_id" AND r."status" = 'cancelled';
