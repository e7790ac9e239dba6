-- AlterTable
ALTER TABLE "sync_sources" ADD COLUMN     "empty_mailed_at" TIMESTAMPTZ(3),
ADD COLUMN     "empty_since" TIMESTAMPTZ(3),
ADD COLUMN     "held" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "sync_runs" ADD COLUMN     "changes" JSONB NOT NULL DEFAULT '[]';
