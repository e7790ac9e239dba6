/** How migrations reach an external PostgreSQL. */
import { PrismaPg } from '@prisma/adapter-pg';

/**
 * The adapter splits a script at every semicolon, also inside comments, strings and function bodies, and sends the parts
 * one by one. Sent whole, PostgreSQL parses the script itself and runs it as one transaction.
 */
class WholeScripts extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const pool = adapter.underlyingDriver();
    adapter.executeScript = async (script: string) => {
      await pool.query(script);
    };
    return adapter;
  }
}

/** The schema engine's way to the database at `connection_string`. */
export function externalMigrationFactory(connection_string: string): PrismaPg {
  return new WholeScripts({ connectionString: connection_string, max: 1 });
}
