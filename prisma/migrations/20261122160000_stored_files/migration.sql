-- Sealed PDFs and photos can lie outside of their row, in the storage of STORAGE_URL.
CREATE TYPE "ObjectState" AS ENUM ('writing', 'kept', 'removing');

CREATE TABLE "stored_objects" (
    "key" TEXT NOT NULL,
    "state" "ObjectState" NOT NULL DEFAULT 'writing',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stored_objects_pkey" PRIMARY KEY ("key")
);

ALTER TABLE "signatures" ADD COLUMN "pdf_object" TEXT, ADD COLUMN "photo_object" TEXT;

-- A process of an older version does not know that what it redacts has files elsewhere: it is refused, and they do not stay behind.
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_objects_check" CHECK (redacted_at IS NULL OR (pdf_object IS NULL AND photo_object IS NULL));
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_places_check" CHECK ((pdf IS NULL OR pdf_object IS NULL) AND (photo IS NULL OR photo_object IS NULL));

-- What is to be moved out, what is to be moved back, and what is to be removed.
CREATE INDEX "partial_signatures_files" ON "signatures" ("id") WHERE "sealed_at" IS NOT NULL AND ("pdf" IS NOT NULL OR "photo" IS NOT NULL);
CREATE INDEX "partial_signatures_objects" ON "signatures" ("id") WHERE "pdf_object" IS NOT NULL OR "photo_object" IS NOT NULL;
CREATE INDEX "partial_stored_objects_open" ON "stored_objects" ("created_at") WHERE "state" <> 'kept';

-- Whoever lets go of an object, by a redaction, a deleted account or a move, has it removed: here, so that none can forget it.
CREATE FUNCTION "release_stored_objects"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE "stored_objects" SET "state" = 'removing' WHERE "key" IN (OLD."pdf_object", OLD."photo_object");
  ELSE
    UPDATE "stored_objects" SET "state" = 'removing' WHERE "key" IN (OLD."pdf_object", OLD."photo_object")
      AND "key" NOT IN (COALESCE(NEW."pdf_object", ''), COALESCE(NEW."photo_object", ''));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "release_stored_objects" AFTER DELETE OR UPDATE OF "pdf_object", "photo_object" ON "signatures"
  FOR EACH ROW WHEN (OLD."pdf_object" IS NOT NULL OR OLD."photo_object" IS NOT NULL) EXECUTE FUNCTION "release_stored_objects"();
