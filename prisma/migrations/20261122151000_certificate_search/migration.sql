-- The dashboard's search of certificates: words of who signed and the address, as for reservations (20261121114000). The
-- expression is repeated in modules/certificates/search.repository.ts.
CREATE INDEX "expression_signatures_search" ON "signatures" USING gin (
  array_to_tsvector(array_remove(string_to_array(translate(lower("signer_name" || ' ' || coalesce("signer_email", '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || "team_id"), ''))
) WITH (fastupdate = on, gin_pending_list_limit = 256);

-- Those of one property, the newest first.
CREATE INDEX "signatures_team_id_mode_property_id_created_at_id_idx" ON "signatures"("team_id", "mode", "property_id", "created_at" DESC, "id" DESC);
