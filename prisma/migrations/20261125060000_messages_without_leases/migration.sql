-- The durable engine owns the schedule of mails and push notices. A row holds the attempts that were begun and when the
-- next is due.
ALTER TABLE "mail_messages" DROP COLUMN "lease_token",
DROP COLUMN "lease_until",
DROP COLUMN "wake_at";
ALTER TABLE "push_notices" DROP COLUMN "wake_at";
