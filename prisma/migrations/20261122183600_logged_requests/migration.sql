-- What was asked, without secrets and personal data (request-log/redact.rules.ts), and what it was about.
ALTER TABLE "request_logs"
  ADD COLUMN "query" TEXT,
  ADD COLUMN "request_body" TEXT,
  ADD COLUMN "object_id" TEXT;
-- Which request an event is of; null for what guests, calendars and the dashboard did.
ALTER TABLE "events" ADD COLUMN "request_id" TEXT;
CREATE INDEX "events_request_id_idx" ON "events"("request_id") WHERE "request_id" IS NOT NULL;
