-- What other modules may know of a module's tables (src/modules/tables.json).

-- Of reservations: those whose link a guest can still open. Mail asks before it sends one.
CREATE VIEW "reservations_with_open_link" AS
  SELECT "id" FROM "reservations" WHERE "status" IN ('sent', 'opened', 'clicked');

-- Of reservations: when a property no longer takes several parties at a time, the nights of its stays that are not over
-- are compared with each other.
CREATE FUNCTION "compare_nights_of_property"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "reservations" SET "nights_changed" = true
  WHERE "property_id" = NEW."id" AND "checkout_date" >= NEW."updated_at"::date;
  RETURN NULL;
END $$;
CREATE TRIGGER "compare_nights_of_property" AFTER UPDATE OF "parallel_stays" ON "properties"
  FOR EACH ROW WHEN (OLD."parallel_stays" AND NOT NEW."parallel_stays") EXECUTE FUNCTION "compare_nights_of_property"();
