-- Home's chart: what happened in each hour and each quarter of one, so that nobody has to read a month's events to count them. In every time zone a day begins with a quarter of an hour, in most
-- with an hour, whose rows are a fourth.
CREATE TABLE "activity_counts" (
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "minutes" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL,
    "signed" INTEGER NOT NULL,

    CONSTRAINT "activity_counts_pkey" PRIMARY KEY ("team_id","mode","minutes","since")
);

ALTER TABLE "activity_counts" ADD CONSTRAINT "activity_counts_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Counted by the database with the events themselves: also those that a process of an older version records meanwhile, and those of a backup. Whoever records one holds the lock of its team's
-- event counter, so nobody waits here.
CREATE FUNCTION "count_activity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "activity_counts" AS counted ("team_id", "mode", "minutes", "since", "created", "sent", "signed")
  SELECT "team_id", "mode", width, date_bin(make_interval(mins => width), "created_at", 'epoch'), count(*) FILTER (WHERE "type" = 'reservation.created'),
    count(*) FILTER (WHERE "type" = 'reservation.sent'), count(*) FILTER (WHERE "type" = 'reservation.signed')
  FROM "recorded" CROSS JOIN (VALUES (15), (60)) AS widths (width)
  WHERE "type" IN ('reservation.created', 'reservation.sent', 'reservation.signed') GROUP BY 1, 2, 3, 4
  ON CONFLICT ("team_id", "mode", "minutes", "since") DO UPDATE SET "created" = counted."created" + EXCLUDED."created",
    "sent" = counted."sent" + EXCLUDED."sent", "signed" = counted."signed" + EXCLUDED."signed";
  RETURN NULL;
END $$;

-- Waits for the events that are being recorded, and keeps others waiting until what is there is counted.
CREATE TRIGGER "count_activity" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "recorded"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_activity"();

WITH quarters AS (
  INSERT INTO "activity_counts" ("team_id", "mode", "minutes", "since", "created", "sent", "signed")
  SELECT "team_id", "mode", 15, date_bin('15 minutes', "created_at", 'epoch'), count(*) FILTER (WHERE "type" = 'reservation.created'),
    count(*) FILTER (WHERE "type" = 'reservation.sent'), count(*) FILTER (WHERE "type" = 'reservation.signed')
  FROM "events" WHERE "type" IN ('reservation.created', 'reservation.sent', 'reservation.signed') GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  RETURNING *
)
INSERT INTO "activity_counts" ("team_id", "mode", "minutes", "since", "created", "sent", "signed")
SELECT "team_id", "mode", 60, date_bin('1 hour', "since", 'epoch'), sum("created"), sum("sent"), sum("signed")
FROM quarters GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;
