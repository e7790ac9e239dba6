-- The counts were of all events; they are of bookings. The next healthy run counts anew.
UPDATE "sync_sources" SET "last_healthy_count" = NULL, "shrunk_since" = NULL WHERE "last_healthy_count" IS NOT NULL OR "shrunk_since" IS NOT NULL;
