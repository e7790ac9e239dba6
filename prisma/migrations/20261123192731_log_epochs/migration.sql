-- AlterTable
ALTER TABLE "log_entries" DROP CONSTRAINT "log_entries_pkey",
ADD COLUMN     "epoch" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "log_entries_pkey" PRIMARY KEY ("epoch", "position");

-- AlterTable
ALTER TABLE "log_nodes" DROP CONSTRAINT "log_nodes_pkey",
ADD COLUMN     "epoch" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "log_nodes_pkey" PRIMARY KEY ("epoch", "level", "position");

-- AlterTable
ALTER TABLE "signatures" DROP COLUMN "logged_at";

-- CreateTable
CREATE TABLE "log_epochs" (
    "number" INTEGER NOT NULL,
    "statement" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_epochs_pkey" PRIMARY KEY ("number")
);
