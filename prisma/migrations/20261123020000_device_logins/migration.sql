-- Terminals that wait for a key, ten minutes at most.
CREATE TABLE "device_logins" (
    "device_code_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "device_name" TEXT,
    "key_mode" "Mode" NOT NULL,
    "scopes" TEXT[],
    "ip" TEXT,
    "interval_s" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "member_id" TEXT,
    "refused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_logins_pkey" PRIMARY KEY ("device_code_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_logins_user_code_hash_key" ON "device_logins"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_logins_expires_at_idx" ON "device_logins"("expires_at");

-- CreateIndex
CREATE INDEX "device_logins_member_id_idx" ON "device_logins"("member_id");

-- AddForeignKey
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
