/**
 * Orders tables for emptying: referring tables before the tables they refer to. Reads the order
 * from the database's catalogue.
 */

/**
 * Selects every table except the table of migrations: `name`, quoted, and whether its rows belong
 * to a team (`of_team`). Referring tables come first.
 */
export const SELECT_TABLES_CHILDREN_FIRST_SQL = `
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
