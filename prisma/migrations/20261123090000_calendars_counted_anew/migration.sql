-- The counts were of all events; they are of bookings. Without its fingerprint each calendar is read, and counted, at its next run.
UPDATE "sync_sources" SET "last_healthy_count" = NULL, "shrunk_since" = NULL, "fingerprint" = NULL WHERE "last_healthy_count" IS NOT NULL;
