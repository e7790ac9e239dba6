-- Partners look reservations up by the number of their own booking.
CREATE INDEX "reservations_team_id_mode_external_id_idx" ON "reservations"("team_id", "mode", "external_id");
