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
