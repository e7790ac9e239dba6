-- What a host says of an endpoint, and the headers added to its deliveries: their values encrypted, their names to be shown.
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "description" TEXT,
  ADD COLUMN "custom_headers" TEXT,
  ADD COLUMN "header_names" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
-- The daily mail of what an endpoint did not accept: whether its owners want it, and when they last got it.
ALTER TABLE "webhook_endpoints"
  ADD COLUMN "digest" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "digest_at" TIMESTAMPTZ(3);
