-- Calendars of property-management systems and of the host's own, and what the host says about entries by their words.
ALTER TABLE "sync_sources" ADD COLUMN "reading" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "sync_sources" DROP CONSTRAINT "sync_sources_kind_check";
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_kind_check"
  CHECK (kind IN ('channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'other_ical', 'forward_email'));
