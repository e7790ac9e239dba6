-- A developer whom an owner lets see guests' data in live mode.
ALTER TABLE "members" ADD COLUMN "sees_guests" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "invitations" ADD COLUMN "property_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- `member` is what managers were called before. The earlier release knows no other name, so rows keep it.
ALTER TABLE "members" ADD CONSTRAINT "members_role_check"
  CHECK ("role" IN ('owner', 'manager', 'co_host', 'developer', 'member'));
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role_check"
  CHECK ("role" IN ('owner', 'manager', 'co_host', 'developer', 'member'));

CREATE UNIQUE INDEX "members_id_team_id_key" ON "members"("id", "team_id");

-- The properties that a co-host reaches.
CREATE TABLE "member_properties" (
    "member_id" TEXT NOT NULL,
    "property_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,

    CONSTRAINT "member_properties_pkey" PRIMARY KEY ("member_id","property_id")
);
CREATE INDEX "member_properties_property_id_idx" ON "member_properties"("property_id");
ALTER TABLE "member_properties" ADD CONSTRAINT "member_properties_member_id_team_id_fkey" FOREIGN KEY ("member_id", "team_id") REFERENCES "members"("id", "team_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "member_properties" ADD CONSTRAINT "member_properties_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;
