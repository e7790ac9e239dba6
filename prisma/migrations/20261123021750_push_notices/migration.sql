-- Browsers in which members are told of what guests say, and what they are still to be told.
-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "endpoint_hash" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_notices" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "told" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "wake_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "push_subscriptions_member_id_idx" ON "push_subscriptions"("member_id");

-- CreateIndex
CREATE INDEX "push_subscriptions_endpoint_hash_idx" ON "push_subscriptions"("endpoint_hash");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_session_id_member_id_key" ON "push_subscriptions"("session_id", "member_id");

-- CreateIndex
CREATE INDEX "push_notices_reservation_id_idx" ON "push_notices"("reservation_id");

-- CreateIndex
CREATE INDEX "push_notices_due_at_idx" ON "push_notices"("due_at");

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_notices" ADD CONSTRAINT "push_notices_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "push_notices" ADD CONSTRAINT "push_notices_kind_check" CHECK (kind IN ('question', 'declined'));
