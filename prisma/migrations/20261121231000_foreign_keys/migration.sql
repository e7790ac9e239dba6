-- Every reference between our tables becomes a foreign key that also compares team and mode. What a database already
-- holds and does not fit is put right first, and each kind is counted in a notice, which goes to the log.
--
--   what belongs to something that is gone       is deleted, as its deletion would have done
--   what merely mentions something that is gone  mentions nothing any more
--   a certificate whose snapshot is gone         keeps all but the text, as after a redaction; certificates are not deleted
--
-- A reference into another team or mode is one to something that is gone.

CREATE FUNCTION pg_temp.put_right(what text, statement text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE changed bigint;
BEGIN
  EXECUTE statement;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed > 0 THEN RAISE NOTICE '%: %', what, changed; END IF;
END $$;

DO $$
DECLARE item text;
DECLARE reference record;
BEGIN
  FOREACH item IN ARRAY ARRAY['api_keys', 'properties', 'trail_entries', 'signatures', 'snapshots', 'sms_messages',
      'webhook_endpoints', 'events', 'event_counters', 'idempotency_records', 'audit_logs', 'mail_messages'] LOOP
    PERFORM pg_temp.put_right(format('%s of a team that is gone, deleted', item), format(
      'DELETE FROM %I c WHERE c.team_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM teams p WHERE p.id = c.team_id)', item));
  END LOOP;

  -- Parents before what hangs on them.
  FOR reference IN SELECT * FROM (VALUES
      (1, 'packets', 'property_id', 'properties', true),
      (2, 'sync_sources', 'property_id', 'properties', true),
      (3, 'reservations', 'property_id', 'properties', true),
      (4, 'packet_revisions', 'packet_id', 'packets', true),
      (5, 'retired_tokens', 'reservation_id', 'reservations', true),
      (6, 'guest_codes', 'reservation_id', 'reservations', true),
      (7, 'sync_runs', 'sync_source_id', 'sync_sources', true),
      (8, 'inbound_mails', 'sync_source_id', 'sync_sources', true),
      (9, 'webhook_deliveries', 'endpoint_id', 'webhook_endpoints', true),
      (10, 'webhook_deliveries', 'event_id', 'events', true),
      (11, 'api_keys', 'successor_id', 'api_keys', false),
      (12, 'reservations', 'packet_id', 'packets', false),
      (13, 'reservations', 'signature_id', 'signatures', false),
      (14, 'reservations', 'sync_source_id', 'sync_sources', false),
      (15, 'inbound_mails', 'reservation_id', 'reservations', false)
    ) AS r(turn, child, link, parent, belongs) ORDER BY turn LOOP
    PERFORM pg_temp.put_right(
      format('%s whose %s is gone, %s', reference.child, reference.link,
        CASE WHEN reference.belongs THEN 'deleted' ELSE 'set to null' END),
      CASE WHEN reference.belongs THEN format('DELETE FROM %I c', reference.child)
           ELSE format('UPDATE %I c SET %I = NULL', reference.child, reference.link) END
      || format(' WHERE c.%I IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %I p
                  WHERE p.id = c.%I AND p.team_id = c.team_id AND p.mode = c.mode)',
                reference.link, reference.parent, reference.link));
  END LOOP;

  PERFORM pg_temp.put_right('trail_entries of an unsigned reservation that is gone, deleted', $sql$
    DELETE FROM trail_entries t
    WHERE NOT EXISTS (SELECT 1 FROM reservations r WHERE r.id = t.reservation_id)
      AND NOT EXISTS (SELECT 1 FROM signatures s WHERE s.reservation_id = t.reservation_id)$sql$);

  PERFORM pg_temp.put_right('signatures whose snapshot_id is gone, given an empty snapshot', $sql$
    UPDATE signatures c SET snapshot_id = 'snap_' || md5(c.id)
    WHERE NOT EXISTS (SELECT 1 FROM snapshots p WHERE p.id = c.snapshot_id AND p.team_id = c.team_id AND p.mode = c.mode)$sql$);
  INSERT INTO snapshots (id, team_id, mode, content_hash, canonical, created_at)
  SELECT c.snapshot_id, c.team_id, c.mode, c.content_hash, '', c.signed_at FROM signatures c
  WHERE NOT EXISTS (SELECT 1 FROM snapshots p WHERE p.id = c.snapshot_id);
END $$;

DROP FUNCTION pg_temp.put_right(text, text);

CREATE INDEX "api_keys_successor_id_idx" ON "api_keys"("successor_id");
CREATE UNIQUE INDEX "api_keys_id_team_id_mode_key" ON "api_keys"("id", "team_id", "mode");
CREATE UNIQUE INDEX "events_id_team_id_mode_key" ON "events"("id", "team_id", "mode");
CREATE INDEX "inbound_mails_reservation_id_idx" ON "inbound_mails"("reservation_id");
CREATE UNIQUE INDEX "packets_id_team_id_mode_key" ON "packets"("id", "team_id", "mode");
CREATE UNIQUE INDEX "properties_id_team_id_mode_key" ON "properties"("id", "team_id", "mode");
CREATE UNIQUE INDEX "reservations_id_team_id_mode_key" ON "reservations"("id", "team_id", "mode");
CREATE INDEX "signatures_snapshot_id_idx" ON "signatures"("snapshot_id");
CREATE UNIQUE INDEX "signatures_id_team_id_mode_key" ON "signatures"("id", "team_id", "mode");
CREATE UNIQUE INDEX "snapshots_id_team_id_mode_key" ON "snapshots"("id", "team_id", "mode");
CREATE UNIQUE INDEX "sync_sources_id_team_id_mode_key" ON "sync_sources"("id", "team_id", "mode");
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");
CREATE UNIQUE INDEX "webhook_endpoints_id_team_id_mode_key" ON "webhook_endpoints"("id", "team_id", "mode");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_successor_id_team_id_mode_fkey" FOREIGN KEY ("successor_id", "team_id", "mode") REFERENCES "api_keys"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "properties" ADD CONSTRAINT "properties_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "packets" ADD CONSTRAINT "packets_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "packet_revisions" ADD CONSTRAINT "packet_revisions_packet_id_team_id_mode_fkey" FOREIGN KEY ("packet_id", "team_id", "mode") REFERENCES "packets"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_packet_id_team_id_mode_fkey" FOREIGN KEY ("packet_id", "team_id", "mode") REFERENCES "packets"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;
-- Looked at when the transaction ends: a signing saves the reservation before the signature it names.
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_signature_id_team_id_mode_fkey" FOREIGN KEY ("signature_id", "team_id", "mode") REFERENCES "signatures"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_sync_source_id_fkey" FOREIGN KEY ("sync_source_id") REFERENCES "sync_sources"("id") ON DELETE SET NULL ON UPDATE NO ACTION;
ALTER TABLE "trail_entries" ADD CONSTRAINT "trail_entries_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "retired_tokens" ADD CONSTRAINT "retired_tokens_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "guest_codes" ADD CONSTRAINT "guest_codes_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_snapshot_id_team_id_mode_fkey" FOREIGN KEY ("snapshot_id", "team_id", "mode") REFERENCES "snapshots"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_sync_source_id_team_id_mode_fkey" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "inbound_mails" ADD CONSTRAINT "inbound_mails_sync_source_id_team_id_mode_fkey" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "inbound_mails" ADD CONSTRAINT "inbound_mails_reservation_id_fkey" FOREIGN KEY ("reservation_id") REFERENCES "reservations"("id") ON DELETE SET NULL ON UPDATE NO ACTION;
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_team_id_mode_fkey" FOREIGN KEY ("endpoint_id", "team_id", "mode") REFERENCES "webhook_endpoints"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_team_id_mode_fkey" FOREIGN KEY ("event_id", "team_id", "mode") REFERENCES "events"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "events" ADD CONSTRAINT "events_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "event_counters" ADD CONSTRAINT "event_counters_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Two references are set to null when what they mention goes. A key that does so cannot compare team and mode as well
-- (it would set those to null too), so a second one does; it waits for the end of the transaction, when the first has
-- done its work. Their names begin with `tenant_`, so that `npm run migrate -- create` knows not to drop them.
ALTER TABLE "reservations" ADD CONSTRAINT "tenant_reservations_sync_source" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "inbound_mails" ADD CONSTRAINT "tenant_inbound_mails_reservation" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") DEFERRABLE INITIALLY DEFERRED;
