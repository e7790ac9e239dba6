-- The first release asks for it: without it none of its processes could deliver a webhook beside a newer one, during an upgrade.
ALTER TABLE "webhook_endpoints" ADD COLUMN "previous_secret" TEXT;
