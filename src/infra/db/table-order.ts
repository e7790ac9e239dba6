/** The order in which tables are emptied: what refers before what it refers to, found in the database's own catalogue. */

/**
 * A query for every table but the migrations': `name`, quoted, and whether its rows are a team's (`of_team`). Those that
 * refer to others come before them.
 */
export const REFERRING_FIRST = `
  WITH RECURSIVE owned AS (
    SELECT oid, relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'
  ), reference AS (
    SELECT DISTINCT conrelid AS child, confrelid AS parent FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid
  ), reached(oid, steps) AS (
    SELECT oid, 0 FROM owned
    UNION SELECT child, steps + 1 FROM reached JOIN reference ON parent = oid
  )
  SELECT quote_ident(relname) AS name,
    EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = owned.oid AND a.attname = 'team_id') AS of_team
  FROM owned JOIN reached USING (oid) GROUP BY owned.oid, relname ORDER BY max(steps) DESC, relname`;
