-- AlterTable
ALTER TABLE "log_entries" ADD COLUMN     "cosignatures" TEXT;
