-- Whether a session used a second factor beyond the password. Open sessions did not record it.
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_signed_in_with_check";
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_signed_in_with_check" CHECK (signed_in_with IN ('password', 'password_and_factor', 'passkey', 'company_account'));

-- Whether the session that consented had used one.
ALTER TABLE "oauth_consents" ADD COLUMN "factor_proven" BOOLEAN NOT NULL DEFAULT false;
