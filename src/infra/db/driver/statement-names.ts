/**
 * Under which names statements are prepared on a connection of PostgreSQL. The name is a hash of the text, because Next
 * bundles a second copy of this module that works on the same connections.
 */
import { createHash } from 'node:crypto';

/** More texts than the product has; a text beyond it is run unnamed, so that no connection keeps ever more plans. */
const NAMED_AT_MOST = 600;
/** Long texts are batches, whose length differs every time: naming them would only fill the connections' memory. */
const LONGEST_NAMED = 8_000;

const names = new Map<string, string>();

/** The name under which a text is prepared, or undefined when it is not worth one. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || text.length > LONGEST_NAMED || names.size >= NAMED_AT_MOST) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
