import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPaginationDirection, type PageCursors, slicePageFromRows } from './pagination';

interface Row {
  id: string;
  created_at: number;
}

const newestFirst = (a: Row, b: Row) => b.created_at - a.created_at || Number(a.id < b.id) - Number(a.id > b.id);

/**
 * Returns rows as a repository does: the rows beyond the cursor in reading direction, including one
 * extra row.
 */
function page(table: Row[], limit: number, cursors: PageCursors, placeOf: (id: string) => Row) {
  const direction = getPaginationDirection(cursors);
  const cursor = cursors.starting_after ?? cursors.ending_before;
  const place = cursor ? placeOf(cursor) : null;
  const ordered = [...table].sort(direction === 'after' ? newestFirst : (a, b) => newestFirst(b, a));
  const beyond = ordered.filter((row) => {
    if (place === null) return true;
    return direction === 'after' ? newestFirst(place, row) < 0 : newestFirst(row, place) < 0;
  });
  return slicePageFromRows(beyond.slice(0, limit + 1), limit, direction);
}

const rowsArbitrary = fc.uniqueArray(
  fc.record({ id: fc.stringMatching(/^[a-z0-9]{4}$/), created_at: fc.integer({ min: 0, max: 5 }) }),
  {
    selector: (row) => row.id,
    maxLength: 40,
  },
);

describe('getPaginationDirection', () => {
  it.each([
    [{}, 'after'],
    [{ starting_after: 'a' }, 'after'],
    [{ ending_before: 'a' }, 'before'],
    [{ starting_after: null, ending_before: undefined }, 'after'],
  ] as const)('%j reads %s', (cursors, direction) => expect(getPaginationDirection(cursors)).toBe(direction));

  it('rejects both cursors together', () => {
    expect(() => getPaginationDirection({ starting_after: 'a', ending_before: 'b' })).toThrowError(
      expect.objectContaining({ code: 'conflicting_cursors' }),
    );
  });
});

describe('slicePageFromRows', () => {
  it.each([
    [[], 2, 'after', [], false],
    [[3, 2], 2, 'after', [3, 2], false],
    [[3, 2, 1], 2, 'after', [3, 2], true],
    [[], 2, 'before', [], false],
    [[4, 5], 2, 'before', [5, 4], false],
    [[4, 5, 6], 2, 'before', [5, 4], true],
  ] as const)('%j with limit %i reading %s gives %j, has_more %s', (rows, limit, direction, data, has_more) => {
    expect(slicePageFromRows<number>(rows, limit, direction)).toEqual({ data, has_more });
  });

  it('walks forward over every row exactly once, newest first, and ends with has_more false', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 7 }), (table, limit) => {
        const byId = new Map(table.map((row) => [row.id, row]));
        const seen: Row[] = [];
        for (let cursor: string | undefined; ; ) {
          const { data, has_more } = page(table, limit, { starting_after: cursor }, (id) => byId.get(id)!);
          seen.push(...data);
          if (!has_more) break;
          expect(data).toHaveLength(limit);
          cursor = data.at(-1)!.id;
        }
        expect(seen).toEqual([...table].sort(newestFirst));
      }),
    );
  });

  it('walks back from any row over exactly the newer rows, each page newest first', () => {
    fc.assert(
      fc.property(
        rowsArbitrary.filter((rows) => rows.length > 0),
        fc.nat(),
        fc.integer({ min: 1, max: 7 }),
        (table, at, limit) => {
          const ordered = [...table].sort(newestFirst);
          const byId = new Map(table.map((row) => [row.id, row]));
          const start = at % ordered.length;
          let seen: Row[] = [];
          for (let cursor = ordered[start]!.id; ; ) {
            const { data, has_more } = page(table, limit, { ending_before: cursor }, (id) => byId.get(id)!);
            seen = [...data, ...seen];
            if (!has_more) break;
            cursor = data[0]!.id;
          }
          expect(seen).toEqual(ordered.slice(0, start));
        },
      ),
    );
  });

  it('returns every surviving row exactly once, whatever is inserted and deleted between the pages', () => {
    const change = fc.record({ add: rowsArbitrary, drop: fc.array(fc.nat(), { maxLength: 5 }) });
    fc.assert(
      fc.property(
        rowsArbitrary,
        fc.array(change, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (initial, changes, limit) => {
          const everSeen = new Map(initial.map((row) => [row.id, row]));
          const kept = new Set(initial.map((row) => row.id));
          let table = [...initial];
          const shown: string[] = [];
          const pending = [...changes];
          for (let cursor: string | undefined; ; ) {
            const { data, has_more } = page(table, limit, { starting_after: cursor }, (id) => everSeen.get(id)!);
            shown.push(...data.map((row) => row.id));
            if (!has_more) break;
            cursor = data.at(-1)!.id;
            const next = pending.shift();
            for (const row of next?.add ?? []) {
              if (everSeen.has(row.id)) continue;
              everSeen.set(row.id, row);
              table.push(row);
            }
            for (const index of next?.drop ?? []) {
              // The cursor's own row may be deleted, but its position remains known.
              const gone = table[index % Math.max(table.length, 1)];
              if (!gone) continue;
              kept.delete(gone.id);
              table = table.filter((row) => row !== gone);
            }
          }
          expect(new Set(shown).size).toBe(shown.length);
          for (const id of kept) expect(shown).toContain(id);
        },
      ),
    );
  });
});
