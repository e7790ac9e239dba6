-- Signatures of development databases have none, and are shown as altered.
ALTER TABLE "signatures" ADD COLUMN "attestation" TEXT NOT NULL DEFAULT '';
ALTER TABLE "signatures" ALTER COLUMN "attestation" DROP DEFAULT;
