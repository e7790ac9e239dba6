-- Guests' requests to be erased.
CREATE TABLE "guest_erasures" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "status" TEXT NOT NULL,
    "subject" TEXT,
    "reservation_ids" TEXT[],
    "erased_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "kept" JSONB NOT NULL DEFAULT '[]',
    "counts" JSONB NOT NULL DEFAULT '{}',
    "whole" BOOLEAN NOT NULL DEFAULT false,
    "requested_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "guest_erasures_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "guest_erasures_status_check" CHECK ("status" IN ('running', 'done')),
    CONSTRAINT "guest_erasures_finished_check" CHECK (("status" = 'done') = ("finished_at" IS NOT NULL) AND ("finished_at" IS NULL OR "subject" IS NULL))
);
CREATE INDEX "guest_erasures_team_id_mode_created_at_id_idx" ON "guest_erasures"("team_id", "mode", "created_at" DESC, "id" DESC);
CREATE INDEX "guest_erasures_status_idx" ON "guest_erasures"("status");
ALTER TABLE "guest_erasures" ADD CONSTRAINT "guest_erasures_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
