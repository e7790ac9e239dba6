-- Who lets the stays, and where guests' answers go.
ALTER TABLE "teams" ADD COLUMN "legal_name" TEXT, ADD COLUMN "postal_address" TEXT, ADD COLUMN "contact_email" TEXT;
ALTER TABLE "properties" ADD COLUMN "reply_to_email" TEXT;
ALTER TABLE "mail_messages" ADD COLUMN "reply_to" TEXT, ADD COLUMN "attachment" TEXT;
-- What a guest said instead of signing.
ALTER TABLE "reservations" ADD COLUMN "guest_reply" TEXT, ADD COLUMN "guest_reply_at" TIMESTAMPTZ(3);
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_guest_reply_check"
  CHECK (guest_reply IN ('question', 'declined') AND guest_reply_at IS NOT NULL OR guest_reply IS NULL AND guest_reply_at IS NULL);
CREATE INDEX "partial_reservations_guest_reply" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "guest_reply" IS NOT NULL;
