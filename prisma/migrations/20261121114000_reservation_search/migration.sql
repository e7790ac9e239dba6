-- DropIndex
DROP INDEX "reservations_team_id_mode_checkin_date_idx";

-- CreateIndex: the dashboard's list by day of arrival turns its pages by (day, id).
CREATE INDEX "reservations_team_id_mode_checkin_date_id_idx" ON "reservations"("team_id", "mode", "checkin_date", "id");

-- Indexes on expressions and partial ones, which the Prisma schema cannot express. Their names begin with `expression_`
-- and `partial_`, so that `npm run migrate -- create` knows not to drop them.

-- The list by guest.
CREATE INDEX "expression_reservations_guest" ON "reservations" ("team_id", "mode", lower("guest_name"), "id");

-- The dashboard's search: every word of name, e-mail and booking code, found by how it begins. The team is a word too,
-- so that one team's search does not walk through everybody's guests called Maria. The expression is repeated in
-- modules/reservations/search.repository.ts. New entries wait in a list that each search reads too: a short one, which keeps
-- writes cheap (a third of the time of an update without the list) and searches too.
CREATE INDEX "expression_reservations_search" ON "reservations" USING gin (
  array_to_tsvector(array_remove(string_to_array(translate(lower("guest_name" || ' ' || coalesce("guest_email", '') || ' ' || coalesce(left("external_id", 200), '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || "team_id"), ''))
) WITH (fastupdate = on, gin_pending_list_limit = 256);

-- What waits for its host: few rows of many.
CREATE INDEX "partial_reservations_no_address" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "guest_email" IS NULL AND "status" IN ('draft', 'synced');
CREATE INDEX "partial_reservations_dates_changed" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "dates_changed_after_send_at" IS NOT NULL;
