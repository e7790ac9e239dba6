-- A link for the receiver's developer to an endpoint's deliveries: its token's hash, and until when it works.
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "portal_token_hash" TEXT,
  ADD COLUMN "portal_expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_portal_token_hash_key" ON "webhook_endpoints"("portal_token_hash");
