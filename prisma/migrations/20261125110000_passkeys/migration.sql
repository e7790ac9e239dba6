-- WebAuthn credentials, one row for each.
CREATE TABLE "passkeys" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- How a session was opened. Null for those of the version before.
ALTER TABLE "sessions" ADD COLUMN "signed_in_with" TEXT;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_signed_in_with_check" CHECK (signed_in_with IN ('password', 'passkey', 'company_account'));

-- What a team demands of the sessions that open it.
ALTER TABLE "teams" ADD COLUMN "require_second_factor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "teams" ADD COLUMN "require_company_account" BOOLEAN NOT NULL DEFAULT false;
