-- AlterTable
ALTER TABLE "processes" ADD COLUMN     "call_refused_at" TIMESTAMPTZ(3),
ADD COLUMN     "durable_problem" TEXT,
ADD COLUMN     "send_error" TEXT,
ADD COLUMN     "send_failed_at" TIMESTAMPTZ(3);
