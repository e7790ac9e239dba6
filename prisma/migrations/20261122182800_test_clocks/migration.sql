-- The time at properties of test mode, which stands still until it is advanced.
CREATE TABLE "test_clocks" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT,
    "frozen_time" TIMESTAMPTZ(3) NOT NULL,
    "target_time" TIMESTAMPTZ(3),
    "retries_time" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_clocks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "test_clocks_target_time_check" CHECK ("target_time" >= "frozen_time")
);

-- AlterTable
ALTER TABLE "properties" ADD COLUMN "test_clock_id" TEXT;

-- CreateIndex
CREATE INDEX "test_clocks_team_id_mode_created_at_id_idx" ON "test_clocks"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "test_clocks_id_team_id_mode_key" ON "test_clocks"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "properties_test_clock_id_idx" ON "properties"("test_clock_id");

-- AddForeignKey
ALTER TABLE "test_clocks" ADD CONSTRAINT "test_clocks_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_test_clock_id_team_id_mode_fkey" FOREIGN KEY ("test_clock_id", "team_id", "mode") REFERENCES "test_clocks"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;
