/**
 * `npm run openapi:breaking [-- BEFORE AFTER]`: lists the changes between the last release and the
 * current document that break clients. Exits with 1 if a stable operation changed. Changes of beta
 * operations are only listed, and need 30 days' notice.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { findBreakingChanges } from '@/api/openapi-breaking';

const [before = 'docs/openapi.released.json.gz', after = 'docs/openapi.json'] = process.argv.slice(2);
const read = async (file: string) => {
  const bytes = await readFile(file);
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
};
const changes = findBreakingChanges(await read(before), await read(after));
for (const { operation, stability, change } of changes)
  console.log(`${stability === 'beta' ? 'beta: ' : ''}${operation}: ${change}`);
const broken = changes.filter((change) => change.stability === 'stable').length;
console.log(broken === 0 ? 'Nothing breaks for clients of stable operations.' : `${broken} breaking differences.`);
process.exit(broken === 0 ? 0 : 1);
