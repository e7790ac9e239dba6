-- Logos that hosts uploaded, as they are shown to everybody who has a link of the property.
CREATE TABLE "property_logos" (
  "id" TEXT NOT NULL,
  "team_id" TEXT NOT NULL,
  "mode" "Mode" NOT NULL,
  "property_id" TEXT NOT NULL,
  "media_type" TEXT NOT NULL,
  "bytes" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "property_logos_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "property_logos_media_type_check" CHECK ("media_type" IN ('image/png', 'image/jpeg')),
  CONSTRAINT "property_logos_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode")
    REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "property_logos_property_id_created_at_idx" ON "property_logos"("property_id", "created_at" DESC);
CREATE INDEX "property_logos_team_id_mode_created_at_id_idx" ON "property_logos"("team_id", "mode", "created_at", "id");
