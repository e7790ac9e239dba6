import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApiKeyType,
  computeApiKeyRotationEnd,
  formatApiKeyHint,
  generateApiKey,
  getApiKeyState,
  hashApiKey,
  isApiKeyLimitReached,
  parseApiKey,
  parseAuthorizationHeader,
  type StoredApiKey,
  verifyApiKey,
} from './rules';

const NOW = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY = 24 * 60 * 60 * 1000;
const modes = fc.constantFrom('live' as const, 'test' as const);
const types = fc.constantFrom<ApiKeyType>('secret', 'restricted');

function stored(key: string, change: Partial<StoredApiKey> = {}): StoredApiKey {
  const { mode, type } = parseApiKey(key)!;
  return { mode, type, hash: hashApiKey(key), revoked_at: null, expires_at: null, successor_id: null, ...change };
}

describe('generateApiKey', () => {
  it('makes keys of the specification’s format that parse back, each with its own prefix', () => {
    const prefixes = new Set<string>();
    fc.assert(
      fc.property(modes, types, (mode, type) => {
        const made = generateApiKey(mode, type);
        expect(made.key).toMatch(new RegExp(`^service_${mode}_${type === 'secret' ? 'sk' : 'rk'}_[0-9A-Za-z]{40}$`));
        expect(parseApiKey(made.key)).toEqual({ text: made.key, mode, type, prefix: made.prefix });
        expect(made.hash).toBe(hashApiKey(made.key));
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
    const text = Array.from({ length: 62 }, () => generateApiKey('live', 'secret', counting).key.slice(16)).join('');
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 256 byte values cannot be divided evenly among 62 characters. Without discarding some of
    // them, eight characters would occur more often.
    expect(Math.max(...counts.values()) / Math.min(...counts.values())).toBeLessThan(1.5);
  });
});

it('discards bytes that would make some characters more likely', () => {
  // Byte values below 248 encode each of the 62 characters four times.
  const secret = (bytes: number[]) =>
    generateApiKey('test', 'secret', (size) =>
      Uint8Array.from({ length: size * 3 }, (_, at) => bytes[at % bytes.length] ?? 0),
    )
      .key.split('_')
      .at(-1);
  const first = secret([0]);
  expect(first).toMatch(/^(.)\1+$/);
  expect(secret([248, 0, 255, 0])).toBe(first);
  expect(secret([62])).toBe(first);
  expect(secret([247])).not.toBe(first);
});

it('the hint ends with the last characters of the key', () => {
  expect(formatApiKeyHint('live', 'restricted', 'a1B2')).toBe('service_live_rk_…a1B2');
});

describe('parseAuthorizationHeader', () => {
  const { key } = generateApiKey('test', 'secret');
  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['   ', 'missing'],
    [`Bearer ${key}`, 'ok'],
    [`bearer ${key}`, 'ok'],
    [`BEARER   ${key}  `, 'ok'],
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
  ])('reads %j as %s', (header, kind) => expect(parseAuthorizationHeader(header).kind).toBe(kind));

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => ['missing', 'malformed'].includes(parseAuthorizationHeader(text).kind)),
    );
  });
});

describe('verifyApiKey', () => {
  const { key } = generateApiKey('live', 'secret');
  const given = parseApiKey(key)!;
  const refusal = (code: string) => ({ ok: false, code });

  it.each<[string, Partial<StoredApiKey>, object]>([
    ['accepts an active key', {}, { ok: true, deprecated: false }],
    [
      'accepts a rotated key inside its window as deprecated',
      { expires_at: later(1), successor_id: 'key_2' },
      { ok: true, deprecated: true },
    ],
    ['accepts a key before it expires', { expires_at: later(1) }, { ok: true, deprecated: false }],
    ['rejects a rotated key when its window ends', { expires_at: later(0) }, refusal('api_key_expired')],
    ['rejects a revoked key', { revoked_at: later(-1) }, refusal('api_key_revoked')],
    [
      'rejects a key revoked inside its window',
      { revoked_at: NOW, expires_at: later(DAY) },
      refusal('api_key_revoked'),
    ],
    ['rejects a row whose mode was changed', { mode: 'test' }, refusal('api_key_invalid')],
    ['rejects a row whose type was changed', { type: 'restricted' }, refusal('api_key_invalid')],
    ['rejects a row without a hash', { hash: '' }, refusal('api_key_invalid')],
    ['rejects a row with a longer hash', { hash: `${hashApiKey(key)}00` }, refusal('api_key_invalid')],
  ])('%s', (_name, change, verdict) => expect(verifyApiKey(given, stored(key, change), NOW)).toEqual(verdict));

  it('an unknown key is invalid', () => {
    expect(verifyApiKey(given, null, NOW)).toEqual(refusal('api_key_invalid'));
  });

  it('a key with the other environment’s name gets its own error', () => {
    const swapped = parseApiKey(key.replace('_live_', '_test_'))!;
    expect(verifyApiKey(swapped, stored(key), NOW)).toEqual(refusal('api_key_wrong_environment'));
  });

  it('a key with the other type’s name, or with any other changed character, is invalid', () => {
    expect(verifyApiKey(parseApiKey(key.replace('_sk_', '_rk_'))!, stored(key), NOW)).toEqual(
      refusal('api_key_invalid'),
    );
    fc.assert(
      fc.property(fc.integer({ min: 16, max: key.length - 1 }), fc.stringMatching(/^[0-9A-Za-z]$/), (at, character) => {
        fc.pre(key[at] !== character);
        const changed = parseApiKey(key.slice(0, at) + character + key.slice(at + 1))!;
        expect(verifyApiKey(changed, stored(key), NOW)).toEqual(refusal('api_key_invalid'));
      }),
    );
  });
});

describe('getApiKeyState', () => {
  it.each([
    ['an untouched key', { revoked_at: null, expires_at: null }, 'active'],
    ['a key before it expires', { revoked_at: null, expires_at: later(1) }, 'active'],
    ['a key when it expires', { revoked_at: null, expires_at: later(0) }, 'expired'],
    [
      'a rotated key inside its window',
      { revoked_at: null, expires_at: later(1), successor_id: 'key_2' },
      'deprecated',
    ],
    ['a rotated key when its window ends', { revoked_at: null, expires_at: later(0) }, 'expired'],
    ['a rotated key after its window', { revoked_at: null, expires_at: later(-1) }, 'expired'],
    ['a revoked key', { revoked_at: later(-1), expires_at: null }, 'revoked'],
    ['a key revoked inside its window', { revoked_at: later(-1), expires_at: later(DAY) }, 'revoked'],
    ['a key revoked after its window', { revoked_at: later(-1), expires_at: later(-DAY) }, 'revoked'],
  ] as const)('%s (%o) is %s', (_name, key, state) =>
    expect(getApiKeyState({ successor_id: null, ...key }, NOW)).toBe(state),
  );
});

describe('the limit of three keys per mode', () => {
  const active = { revoked_at: null, expires_at: null, successor_id: null };
  const rotated = { ...active, successor_id: 'key_2' };
  it.each([
    ['is not reached without keys', [], false],
    ['is not reached by two active keys', [active, active], false],
    ['is reached by three active keys', [active, active, active], true],
    ['does not count a predecessor inside its window', [active, active, { ...rotated, expires_at: later(DAY) }], false],
    ['does not count a predecessor after its window', [active, active, { ...rotated, expires_at: later(-1) }], false],
    ['does not count a revoked key', [active, active, { ...active, revoked_at: NOW }], false],
    [
      'is reached by three active keys and their predecessors',
      [active, active, active, { ...rotated, expires_at: later(DAY) }],
      true,
    ],
  ])('%s', (_name, keys, reached) => expect(isApiKeyLimitReached(keys, NOW)).toBe(reached));
});

it('a rotated key works for 24 more hours', () => {
  expect(computeApiKeyRotationEnd(NOW)).toEqual(later(DAY));
});
