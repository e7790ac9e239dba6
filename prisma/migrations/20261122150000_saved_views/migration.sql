-- The lists that a member keeps at hand.
ALTER TABLE "members" ADD COLUMN "saved_views" JSONB NOT NULL DEFAULT '[]';
