import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainTrailEntries } from '@/modules/certificates/testing/sample';
import { appendChainedTrailEntry, type ChainedTrailEntry, computeTrailChainHash, verifyTrailChain } from './chain';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const entry = fc.record({
  type: fc.string({ minLength: 1, maxLength: 20 }),
  created_at: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  actor: fc.option(text),
  ip: fc.option(fc.ipV4()),
  user_agent: fc.option(text),
  data: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__'),
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 })),
    { maxKeys: 4 },
  ),
});
const trail = fc.array(entry, { minLength: 1, maxLength: 8 }).map(chainTrailEntries);

const FIELDS = ['seq', 'type', 'created_at', 'actor', 'ip', 'user_agent', 'data', 'prev_hash', 'hash'] as const;

/** Returns a different valid value for a field. */
function changed(field: (typeof FIELDS)[number], value: unknown, salt: number): unknown {
  if (field === 'seq') return (value as number) + 1 + (salt % 3);
  if (field === 'data') return { ...(value as object), [`added_${salt}`]: salt };
  return value === null ? `now ${salt}` : salt % 4 === 0 && field !== 'type' ? null : `${value}${salt}`;
}

describe('verifyTrailChain', () => {
  it('accepts every chain built entry by entry', () => {
    fc.assert(
      fc.property(trail, (entries) => {
        expect(verifyTrailChain(entries)).toEqual({
          ok: true,
          entries: entries.length,
          head_hash: entries.at(-1)?.hash,
        });
      }),
    );
  });

  it('accepts a chain after a round trip through JSON', () => {
    fc.assert(fc.property(trail, (entries) => verifyTrailChain(JSON.parse(JSON.stringify(entries))).ok));
  });

  it('reports the first entry in which any field was changed', () => {
    fc.assert(
      fc.property(trail, fc.nat(), fc.constantFrom(...FIELDS), fc.nat(1000), (entries, pick, field, salt) => {
        const at = pick % entries.length;
        const tampered = entries.map((item, index) =>
          index === at ? ({ ...item, [field]: changed(field, item[field], salt) } as ChainedTrailEntry) : item,
        );
        expect(verifyTrailChain(tampered)).toMatchObject({ ok: false, broken_seq: at + 1 });
      }),
      { numRuns: 500 },
    );
  });

  it('detects a changed entry whose own hash was recomputed, unless it is the last', () => {
    fc.assert(
      fc.property(trail, fc.nat(), (entries, pick) => {
        fc.pre(entries.length > 1);
        const at = pick % (entries.length - 1);
        const tampered = entries.map((item, index) => {
          if (index !== at) return item;
          const forged = { ...item, actor: `not ${item.actor}` };
          return { ...forged, hash: computeTrailChainHash(forged.prev_hash, forged) };
        });
        expect(verifyTrailChain(tampered)).toEqual({ ok: false, broken_seq: at + 2, reason: 'prev_hash' });
      }),
    );
  });

  it('detects an entry that was removed, repeated or moved', () => {
    fc.assert(
      fc.property(trail, fc.nat(), fc.constantFrom('remove', 'repeat', 'swap'), (entries, pick, how) => {
        fc.pre(entries.length > 2);
        const at = pick % (entries.length - 1);
        const tampered = [...entries];
        if (how === 'remove') tampered.splice(at, 1);
        if (how === 'repeat') tampered.splice(at, 0, entries[at]!);
        if (how === 'swap') [tampered[at], tampered[at + 1]] = [tampered[at + 1]!, tampered[at]!];
        expect(verifyTrailChain(tampered).ok).toBe(false);
      }),
    );
  });

  it('detects, with the sealed head as anchor, a trail that was cut short or rewritten', () => {
    fc.assert(
      fc.property(trail, entry, (entries, other) => {
        const { seq, hash } = entries.at(-1)!;
        const anchor = { seq, hash };
        expect(verifyTrailChain(entries, anchor).ok).toBe(true);
        expect(verifyTrailChain([...entries, appendChainedTrailEntry(entries.at(-1)!, other)], anchor).ok).toBe(true);
        expect(verifyTrailChain(entries.slice(0, -1), anchor)).toEqual({
          ok: false,
          broken_seq: seq,
          reason: 'anchor',
        });
        const anew = chainTrailEntries(
          entries.map(({ type, created_at, ip, user_agent, data }) => ({
            type,
            created_at,
            actor: 'forger',
            ip,
            user_agent,
            data,
          })),
        );
        fc.pre(entries.some(({ actor }) => actor !== 'forger'));
        expect(verifyTrailChain(anew, anchor).ok).toBe(false);
      }),
    );
  });

  it('accepts an empty trail', () => {
    expect(verifyTrailChain([])).toEqual({ ok: true, entries: 0, head_hash: null });
  });
});

describe('computeTrailChainHash', () => {
  it('returns the published hashes', () => {
    const first = {
      seq: 1,
      type: 'reservation.created',
      created_at: '2026-01-01T00:00:00.000Z',
      actor: null,
      ip: null,
      user_agent: null,
      data: {},
    };
    // Computed with: printf '%s' '{"actor":null,…,"type":"reservation.created","user_agent":null}'
    // | sha256sum
    expect(computeTrailChainHash(null, first)).toBe('6b860d6091a72d80c5b5f84fe502d711f2945dc4437f69fa8928cc67aaddd37e');
  });
});

describe('appendChainedTrailEntry', () => {
  it('refuses a time without milliseconds or not in UTC', () => {
    const base = { type: 'x', actor: null, ip: null, user_agent: null, data: {} };
    expect(() => appendChainedTrailEntry(null, { ...base, created_at: '2026-01-01T00:00:00Z' })).toThrow();
    expect(() => appendChainedTrailEntry(null, { ...base, created_at: '2026-01-01T00:00:00.000+01:00' })).toThrow();
  });
});
