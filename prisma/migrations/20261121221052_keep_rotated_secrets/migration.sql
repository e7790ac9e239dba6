-- A second rotation within 24 hours ended the first secret before its announced time: all of them are kept until theirs.
ALTER TABLE "webhook_endpoints" ADD COLUMN "previous_secrets" JSONB NOT NULL DEFAULT '[]';
UPDATE "webhook_endpoints" SET "previous_secrets" = jsonb_build_array(jsonb_build_object(
  'secret', "previous_secret", 'until', to_char("rotated_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
WHERE "previous_secret" IS NOT NULL AND "rotated_until" IS NOT NULL;
ALTER TABLE "webhook_endpoints" DROP COLUMN "previous_secret";
