-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "first_attempted_at" TIMESTAMPTZ(3);

-- Attempts in flight are counted by endpoint at every claim: only those that hold a lease are in the index.
CREATE INDEX "partial_deliveries_leased" ON "webhook_deliveries" ("endpoint_id") WHERE "status" = 'pending' AND "lease_until" IS NOT NULL;
