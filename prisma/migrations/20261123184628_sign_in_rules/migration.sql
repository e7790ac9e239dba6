-- Session tokens are stored as SHA-256 from now on. Nobody is signed out.
UPDATE "sessions" SET "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');

-- A caller could put any address here, and nothing ever showed it.
UPDATE "users" SET "image" = NULL WHERE "image" IS NOT NULL;
ALTER TABLE "users" ADD CONSTRAINT "users_image_check" CHECK ("image" IS NULL);

-- A second identity of an account came in by the address alone: the oldest one stays, and the account's sessions end.
DO $$
DECLARE
  removed integer;
BEGIN
  CREATE TEMPORARY TABLE second_identities ON COMMIT DROP AS
    SELECT id, user_id FROM (
      SELECT id, user_id,
        row_number() OVER (PARTITION BY user_id, provider_id ORDER BY created_at, id) AS of_user,
        row_number() OVER (PARTITION BY provider_id, account_id ORDER BY created_at, id) AS of_identity
      FROM accounts
    ) AS numbered WHERE of_user > 1 OR of_identity > 1;
  DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM second_identities);
  DELETE FROM accounts WHERE id IN (SELECT id FROM second_identities);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN
    RAISE NOTICE '% second identities at a provider were removed from accounts, whose sessions have ended', removed;
  END IF;
END $$;

-- DropIndex
DROP INDEX "accounts_user_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "accounts_user_id_provider_id_key" ON "accounts"("user_id", "provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- AlterTable
ALTER TABLE "device_logins" ADD COLUMN     "key_days" INTEGER;
