-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "content" BYTEA,
ADD COLUMN     "content_until" TIMESTAMPTZ(3),
ALTER COLUMN "html" DROP NOT NULL,
ALTER COLUMN "text" DROP NOT NULL;
