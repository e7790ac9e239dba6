/** Tests cursors under any sequence of inserts and deletes, against a naive model. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeams } from '@/testing/team';
import { MovableClock } from './test-context';

const BASE = Date.parse('2026-11-21T09:00:00Z');
const clock = new MovableClock();
let teams = 0;

beforeAll(async () => {
  setClock(clock);
  await openTestDatabase();
});
afterAll(async () => {
  await closeTestDatabase();
  setClock(null);
});

interface Row {
  id: string;
  created_at: Date;
}

/**
 * Inserts rows as the services do. A row's id and time come from the same clock, which does not
 * always advance between rows.
 */
async function insert(scope: Scope, count: number): Promise<Row[]> {
  const rows = Array.from({ length: count }, () => {
    const now = clock.now();
    return {
      id: newId('property'),
      team_id: scope.team_id,
      mode: scope.mode,
      name: 'P',
      created_at: now,
      updated_at: now,
    };
  });
  if (count > 0) await systemDb().property.createMany({ data: rows });
  return rows;
}

const newest = (a: Row, b: Row) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
const page = (scope: Scope, query: { limit: number; starting_after?: string; ending_before?: string }) =>
  listRowsByKeyset<Row>(scopedDb(scope).property as never, 'property', 'property', {}, query);

/**
 * Changes between two pages: the time by which the clock advances, the number of added rows, and
 * the positions of deleted rows.
 */
const step = fc.record({
  tick_ms: fc.constantFrom(0, 0, 1, 1_000),
  inserts: fc.integer({ min: 0, max: 3 }),
  deletes: fc.array(fc.nat(30), { maxLength: 3 }),
  delete_cursor: fc.boolean(),
});

it('a walk in either direction returns each surviving row exactly once, in order, and ends with has_more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0, 1, 5), { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom<'starting_after' | 'ending_before'>('starting_after', 'ending_before'),
      fc.array(step, { maxLength: 6 }),
      async (ticks, limit, direction, steps) => {
        const scope: Scope = { team_id: `team_${++teams}`, mode: 'live', actor: { kind: 'system', name: 'test' } };
        await insertTeams(scope.team_id);
        clock.set(BASE + teams * 1_000_000);
        let model: Row[] = [];
        for (const tick of ticks) {
          clock.advance(tick);
          model.push(...(await insert(scope, 1)));
        }
        const first = new Set(model.map((row) => row.id));
        const stayed = new Set(first);
        const seen: Row[] = [];
        // Reading backwards starts at the oldest row. The result does not contain that row.
        let cursor = direction === 'ending_before' ? [...model].sort(newest).at(-1) : undefined;
        const start = cursor?.id;
        for (let index = 0; ; index++) {
          const result = await page(scope, { limit, ...(cursor && { [direction]: cursor.id }) });
          const ordered = [...model].sort(newest);
          const at = cursor;
          const ahead = ordered.filter(
            (row) =>
              !at || ((direction === 'starting_after' ? newest(at, row) < 0 : newest(row, at) < 0) && row.id !== at.id),
          );
          const expected = direction === 'starting_after' ? ahead.slice(0, limit) : ahead.slice(-limit);
          expect(result.data.map((row) => row.id)).toEqual(expected.map((row) => row.id));
          expect(result.has_more).toBe(ahead.length > limit);
          seen.push(...(direction === 'starting_after' ? result.data : [...result.data].reverse()));
          if (!result.has_more) break;
          cursor = direction === 'starting_after' ? result.data.at(-1) : result.data[0];
          const change = steps[index];
          if (!change) continue;
          clock.advance(change.tick_ms);
          model.push(...(await insert(scope, change.inserts)));
          const gone = new Set(change.deletes.flatMap((position) => ordered[position]?.id ?? []));
          if (change.delete_cursor && cursor) gone.add(cursor.id);
          await systemDb().property.deleteMany({ where: { id: { in: [...gone] } } });
          model = model.filter((row) => !gone.has(row.id));
          for (const id of gone) stayed.delete(id);
        }
        const ids = seen.map((row) => row.id);
        expect(new Set(ids).size, 'no row twice').toBe(ids.length);
        for (const id of stayed) if (id !== start) expect(ids, 'no row that stayed is skipped').toContain(id);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
