-- DropIndex
DROP INDEX "properties_mode_custom_domain_key";

-- AlterTable
ALTER TABLE "properties" ADD COLUMN     "custom_domain_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "custom_domain_confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "custom_domain_failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "custom_domain_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "custom_domain_lapsed_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "properties_mode_custom_domain_idx" ON "properties"("mode", "custom_domain");

-- Uniqueness belongs to those who proved the domain: a claim alone blocks nobody.
CREATE UNIQUE INDEX "partial_properties_verified_domain" ON "properties" ("mode", "custom_domain")
  WHERE "custom_domain_verified_at" IS NOT NULL;

-- The domains that are asked about each hour, the longest ago first.
CREATE INDEX "partial_properties_domain_checks" ON "properties" ("custom_domain_checked_at")
  WHERE "custom_domain_verified_at" IS NOT NULL OR "custom_domain_lapsed_at" IS NOT NULL;

-- Domains that were verified before anybody looked again: links stay on them until the first look, at most a day.
UPDATE "properties" SET "custom_domain_confirmed_at" = now() WHERE "custom_domain_verified_at" IS NOT NULL;
