-- Filters of lists that read all of a team's rows to find a rare one (bench/plans.ts). Whole indexes rather than partial ones: a prepared
-- statement is planned without its values from the sixth time on, and then nothing says that they fit a partial one.
CREATE INDEX "events_team_id_mode_type_sequence_idx" ON "events"("team_id", "mode", "type", "sequence");
CREATE INDEX "webhook_deliveries_endpoint_id_status_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_deliveries_endpoint_id_event_type_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "event_type", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_logs_team_id_actor_created_at_id_idx" ON "audit_logs"("team_id", "actor", "created_at" DESC, "id" DESC);
CREATE INDEX "mail_messages_team_id_mode_status_created_at_id_idx" ON "mail_messages"("team_id", "mode", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "mail_messages_team_id_mode_template_created_at_id_idx" ON "mail_messages"("team_id", "mode", "template", "created_at" DESC, "id" DESC);
CREATE INDEX "reservations_team_id_mode_status_checkin_date_id_idx" ON "reservations"("team_id", "mode", "status", "checkin_date", "id");

-- Whatever the value is, it is one.
CREATE INDEX "partial_request_logs_error_code" ON "request_logs" ("team_id", "mode", "error_code", "created_at" DESC, "id" DESC) WHERE "error_code" IS NOT NULL;
