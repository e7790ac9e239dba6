-- AlterTable
ALTER TABLE "reservations" ADD COLUMN     "guest_phone_last4" TEXT;

-- AlterTable
ALTER TABLE "sync_sources" ADD COLUMN     "shrunk_since" TIMESTAMPTZ(3),
ADD COLUMN     "waiting" BOOLEAN NOT NULL DEFAULT false;
