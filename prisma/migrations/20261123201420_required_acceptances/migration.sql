-- AlterTable
ALTER TABLE "properties" ADD COLUMN "required_acceptances" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "properties" ADD CONSTRAINT "properties_required_acceptances_check"
  CHECK ("required_acceptances" <@ ARRAY['damage', 'deposit', 'smoking', 'cancellation']);
