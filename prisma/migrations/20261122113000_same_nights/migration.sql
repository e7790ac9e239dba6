-- Two bookings of the same nights, from different sources: found, told to the host once, and answered by him.
ALTER TABLE "properties" ADD COLUMN "parallel_stays" BOOLEAN NOT NULL DEFAULT false;

-- What is here already is looked at below, once; whatever is inserted from now on, by whatever version, is looked at by the sweep.
ALTER TABLE "reservations" ADD COLUMN "nights_changed" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "reservations" ALTER COLUMN "nights_changed" SET DEFAULT true;
CREATE INDEX "reservations_nights_changed_idx" ON "reservations" ("property_id", "id") WHERE nights_changed;
CREATE INDEX "reservations_property_id_checkout_date_checkin_date_idx" ON "reservations" ("property_id", "checkout_date", "checkin_date");

CREATE TABLE "same_nights" (
    "reservation_id" TEXT NOT NULL,
    "other_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "both_real_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "same_nights_pkey" PRIMARY KEY ("reservation_id", "other_id")
);
CREATE INDEX "same_nights_other_id_idx" ON "same_nights" ("other_id");
CREATE INDEX "same_nights_team_id_mode_created_at_reservation_id_idx" ON "same_nights" ("team_id", "mode", "created_at", "reservation_id");
ALTER TABLE "same_nights" ADD CONSTRAINT "same_nights_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "same_nights" ADD CONSTRAINT "same_nights_other_id_team_id_mode_fkey" FOREIGN KEY ("other_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Several units under one property: two calendars of one channel are in use, or two guests of different sources have signed
-- for the same nights. Their packets must go out as before.
DO $$
DECLARE changed bigint;
BEGIN
  UPDATE properties p SET parallel_stays = true
  WHERE EXISTS (
      SELECT 1 FROM sync_sources s
      WHERE s.property_id = p.id AND s.enabled AND s.kind IN ('channel_a_ical', 'channel_b_ical', 'channel_c_ical')
      GROUP BY s.kind HAVING count(*) > 1)
    OR EXISTS (
      SELECT 1 FROM reservations a JOIN reservations b ON b.property_id = a.property_id AND b.id > a.id
        AND b.checkout_date > a.checkin_date AND b.checkin_date < a.checkout_date
        AND b.sync_source_id IS DISTINCT FROM a.sync_source_id
      WHERE a.property_id = p.id AND a.signature_id IS NOT NULL AND b.signature_id IS NOT NULL);
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed > 0 THEN RAISE NOTICE 'properties with more than one party at a time: %', changed; END IF;

  -- Pairs that are there already are shown and hold auto-send back; nobody is mailed about them.
  INSERT INTO same_nights (reservation_id, other_id, team_id, mode, created_at)
  SELECT least(a.id COLLATE "C", b.id COLLATE "C"), greatest(a.id COLLATE "C", b.id COLLATE "C"), a.team_id, a.mode, now()
  FROM reservations a
  JOIN properties p ON p.id = a.property_id AND NOT p.parallel_stays
  JOIN reservations b ON b.property_id = a.property_id AND b.checkout_date > a.checkin_date
    AND b.checkin_date < a.checkout_date AND b.id > a.id
    AND b.sync_source_id IS DISTINCT FROM a.sync_source_id
  WHERE a.status NOT IN ('ignored', 'expired') AND b.status NOT IN ('ignored', 'expired')
    AND a.checkout_date >= current_date AND b.checkout_date >= current_date
    AND NOT (a.guest_email IS NULL AND a.guest_name = 'Guest' AND a.external_source IN ('channel_c_ical', 'other_ical'))
    AND NOT (b.guest_email IS NULL AND b.guest_name = 'Guest' AND b.external_source IN ('channel_c_ical', 'other_ical'));
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed > 0 THEN RAISE NOTICE 'pairs of bookings for the same nights: %', changed; END IF;
END $$;
