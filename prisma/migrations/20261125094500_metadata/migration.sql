-- Partners keep keys and values of their own with properties and reservations.
ALTER TABLE "properties" ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "reservations" ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "properties" ADD CONSTRAINT "properties_metadata_check" CHECK (jsonb_typeof(metadata) = 'object');
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_metadata_check" CHECK (jsonb_typeof(metadata) = 'object');
