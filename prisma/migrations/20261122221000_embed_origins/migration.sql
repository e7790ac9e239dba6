-- Sites inside of whose pages the signing page may be shown.
ALTER TABLE "properties" ADD COLUMN "embed_origins" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
