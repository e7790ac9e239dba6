-- The certificates of all keys that ever sealed: a new key condemns no earlier certificate.
CREATE TYPE "SealOrigin" AS ENUM ('made', 'file', 'imported');

CREATE TABLE "sealing_certificates" (
  "fingerprint" TEXT NOT NULL,
  "secret" TEXT NOT NULL,
  "origin" "SealOrigin" NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sealing_certificates_pkey" PRIMARY KEY ("fingerprint")
);
