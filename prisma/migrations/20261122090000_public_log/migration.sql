-- The public log of certificates: an append-only Merkle tree over the SHA-256 of sealed files. No key to anything: it outlives all it tells of.
CREATE TABLE "log_entries" (
  "position" INTEGER NOT NULL,
  "pdf_sha256" TEXT NOT NULL,
  "checkpoint" TEXT NOT NULL,
  "timestamp" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "log_entries_pkey" PRIMARY KEY ("position")
);
CREATE UNIQUE INDEX "log_entries_pdf_sha256_key" ON "log_entries"("pdf_sha256");

CREATE TABLE "log_nodes" (
  "level" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "hash" BYTEA NOT NULL,
  CONSTRAINT "log_nodes_pkey" PRIMARY KEY ("level", "position")
);

-- Certificates from before the log are entered by the sweep.
ALTER TABLE "signatures" ADD COLUMN "logged_at" TIMESTAMPTZ(3);
CREATE INDEX "partial_signatures_unlogged" ON "signatures"("sealed_at") WHERE "logged_at" IS NULL AND "sealed_at" IS NOT NULL;
