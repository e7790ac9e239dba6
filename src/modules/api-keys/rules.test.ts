import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canCreateKey, generateKey, hashMatches, type KeyType, keyState, parseAuthorization } from './rules';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY = 24 * 60 * 60 * 1000;
const modes = fc.constantFrom('live' as const, 'test' as const);
const types = fc.constantFrom<KeyType>('secret', 'restricted');

function parse(key: string) {
  const parsed = parseAuthorization(`Bearer ${key}`);
  if (parsed.kind !== 'key') throw new Error(`${key} does not parse`);
  return parsed;
}

describe('generateKey', () => {
  it('makes keys of the specification’s format that parse back, each with its own prefix', () => {
    const prefixes = new Set<string>();
    fc.assert(
      fc.property(modes, types, (mode, type) => {
        const made = generateKey(mode, type);
        expect(made.key).toMatch(new RegExp(`^service_${mode}_${type === 'secret' ? 'sk' : 'rk'}_[0-9A-Za-z]{40}$`));
        expect(parse(made.key)).toMatchObject({ mode, type, prefix: made.prefix, hash: made.hash });
        expect(made.prefix).toHaveLength(12);
        expect(made.last4).toBe(made.key.slice(-4));
        expect(made.hash).toMatch(/^[0-9a-f]{64}$/);
        expect(prefixes.has(made.prefix)).toBe(false);
        prefixes.add(made.prefix);
      }),
      { numRuns: 500 },
    );
  });

  it('uses every character equally often', () => {
    let byte = -1;
    const counting = (size: number) =>
      Uint8Array.from({ length: size }, () => {
        byte = (byte + 1) % 256;
        return byte;
      });
    const text = Array.from({ length: 62 }, () => generateKey('live', 'secret', counting).key.slice(16)).join('');
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 256 % 62 = 8 bytes are left over; used, they would double the share of eight characters.
    expect(Math.max(...counts.values()) / Math.min(...counts.values())).toBeLessThan(1.5);
  });
});

describe('parseAuthorization', () => {
  const { key } = generateKey('test', 'secret');
  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['   ', 'missing'],
    [`Bearer ${key}`, 'key'],
    [`bearer ${key}`, 'key'],
    [`BEARER   ${key}  `, 'key'],
    ['Bearer', 'malformed'],
    ['Bearer ', 'malformed'],
    [key, 'malformed'],
    [`Basic ${key}`, 'malformed'],
    [`Bearer${key}`, 'malformed'],
    [`Bearer ${key} ${key}`, 'malformed'],
    [`Bearer ${key}!`, 'malformed'],
    [`Bearer ${key.slice(0, 40)}`, 'malformed'],
    [`Bearer ${key.replace('service_', 'other_')}`, 'malformed'],
    [`Bearer ${key.replace('_test_', '_prod_')}`, 'malformed'],
    [`Bearer ${key.replace('_sk_', '_pk_')}`, 'malformed'],
    [`Bearer ${key.toUpperCase()}`, 'malformed'],
    [`Bearer ${key}\nX-Other: 1`, 'malformed'],
    [`Bearer ${'x'.repeat(100_000)}`, 'malformed'],
  ])('%j is %s', (header, kind) => expect(parseAuthorization(header).kind).toBe(kind));

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => ['missing', 'malformed'].includes(parseAuthorization(text).kind)));
  });
});

describe('recognising a key', () => {
  const made = generateKey('live', 'secret');

  it('finds the environment mixed up, and only that', () => {
    const swapped = parse(made.key.replace('_live_', '_test_'));
    expect(hashMatches(swapped.hash, made.hash)).toBe(false);
    expect(hashMatches(swapped.other_hash, made.hash)).toBe(true);
    const otherType = parse(made.key.replace('_sk_', '_rk_'));
    expect(hashMatches(otherType.hash, made.hash) || hashMatches(otherType.other_hash, made.hash)).toBe(false);
  });

  it('refuses a key with any other character changed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 16, max: made.key.length - 1 }),
        fc.stringMatching(/^[0-9A-Za-z]$/),
        (at, character) => {
          fc.pre(made.key[at] !== character);
          const changed = parse(made.key.slice(0, at) + character + made.key.slice(at + 1));
          expect(hashMatches(changed.hash, made.hash) || hashMatches(changed.other_hash, made.hash)).toBe(false);
        },
      ),
    );
  });

  it('never matches an empty or broken stored hash', () => {
    for (const stored of ['', 'zz', made.hash.slice(2), `${made.hash}00`])
      expect(hashMatches(made.hash, stored)).toBe(false);
    expect(hashMatches('', '')).toBe(false);
  });
});

describe('keyState', () => {
  it.each([
    ['an untouched key', { revoked_at: null, expires_at: null }, 'active'],
    ['a rotated key inside its window', { revoked_at: null, expires_at: later(1) }, 'deprecated'],
    ['a rotated key when its window ends', { revoked_at: null, expires_at: later(0) }, 'expired'],
    ['a rotated key after its window', { revoked_at: null, expires_at: later(-1) }, 'expired'],
    ['a revoked key', { revoked_at: later(-1), expires_at: null }, 'revoked'],
    ['a key revoked inside its window', { revoked_at: later(-1), expires_at: later(DAY) }, 'revoked'],
    ['a key revoked after its window', { revoked_at: later(-1), expires_at: later(-DAY) }, 'revoked'],
  ] as const)('%s is %o: %s', (_name, key, state) => expect(keyState(key, NOW)).toBe(state));
});

describe('the limit of three keys per mode', () => {
  const active = { revoked_at: null, expires_at: null };
  it.each([
    ['no keys', [], true],
    ['two active', [active, active], true],
    ['three active', [active, active, active], false],
    ['a predecessor inside its window does not count', [active, active, { ...active, expires_at: later(DAY) }], true],
    ['one after its window does not count', [active, active, { ...active, expires_at: later(-1) }], true],
    ['a revoked one does not count', [active, active, { ...active, revoked_at: NOW }], true],
    ['three active and their predecessors', [active, active, active, { ...active, expires_at: later(DAY) }], false],
  ])('%s', (_name, keys, room) => expect(canCreateKey(keys, NOW)).toBe(room));
});
