-- AlterTable
ALTER TABLE "inbound_mails" ADD COLUMN     "was_checkin_date" DATE,
ADD COLUMN     "was_checkout_date" DATE;

-- AlterTable
ALTER TABLE "sync_sources" ADD COLUMN     "apply_proven_mails" BOOLEAN NOT NULL DEFAULT false;
