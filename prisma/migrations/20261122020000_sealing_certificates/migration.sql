-- The certificates of all keys that ever sealed: a new key condemns no earlier certificate.
CREATE TABLE "sealing_certificates" (
  "fingerprint" TEXT NOT NULL,
  "secret" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sealing_certificates_pkey" PRIMARY KEY ("fingerprint"),
  CONSTRAINT "sealing_certificates_origin_check" CHECK (origin IN ('made', 'file', 'imported'))
);
