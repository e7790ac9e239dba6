-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "is_first" BOOLEAN NOT NULL DEFAULT false;

-- The oldest of those that are there, as it was found until now.
UPDATE "teams" SET "is_first" = true WHERE "id" = (SELECT "id" FROM "teams" ORDER BY "created_at", "id" LIMIT 1);
