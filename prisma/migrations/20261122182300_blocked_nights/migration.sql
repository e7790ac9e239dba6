-- The nights ahead that a calendar keeps free of guests, as its last whole reading had them.
ALTER TABLE "sync_sources" ADD COLUMN "blocked_nights" JSONB NOT NULL DEFAULT '[]';
-- Read once in full, so that they are known of calendars that do not change.
UPDATE "sync_sources" SET "fingerprint" = NULL, "etag" = NULL, "last_modified" = NULL WHERE "feed_url" IS NOT NULL;
