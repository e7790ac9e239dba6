-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "mail_id" TEXT,
ADD COLUMN     "token_hash" TEXT;

-- CreateTable
CREATE TABLE "tallies" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tallies_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "tallies_since_idx" ON "tallies"("since");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- The id of an invitation was its link, and answers showed it: those that are open end, and their mails are theirs still.
UPDATE "invitations" SET "status" = 'canceled' WHERE "status" = 'pending';
UPDATE "invitations" i SET "mail_id" = m."id" FROM "mail_messages" m
  WHERE m."team_id" IS NULL AND m."template" = 'invitation' AND position(i."id" IN m."text") > 0;
