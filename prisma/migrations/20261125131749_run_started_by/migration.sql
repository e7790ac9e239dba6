-- AlterTable
ALTER TABLE "sync_runs" ADD COLUMN     "started_by" TEXT;
