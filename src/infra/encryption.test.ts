import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decryptBytes,
  decryptSecret,
  deriveTokenFromMasterSecret,
  encryptBytes,
  encryptSecret,
  hashToken,
  isEqualInConstantTime,
} from './encryption';

const MASTER = 'a-master-secret-of-a-decent-length';

describe('encryptSecret and decryptSecret', () => {
  it('return any text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string(), (text, purpose) => {
        expect(decryptSecret(MASTER, purpose, encryptSecret(MASTER, purpose, text))).toBe(text);
      }),
    );
  });

  it('hide the text and never repeat a ciphertext', () => {
    const stored = new Set(Array.from({ length: 200 }, () => encryptSecret(MASTER, 'webhook', 'whsec_same')));
    expect(stored.size).toBe(200);
    for (const value of stored) expect(value).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  });

  it('reject another purpose and another master secret', () => {
    const stored = encryptSecret(MASTER, 'webhook', 'whsec_x');
    expect(() => decryptSecret(MASTER, 'idempotency', stored)).toThrow();
    expect(() => decryptSecret('another-master-secret', 'webhook', stored)).toThrow();
    expect(() => encryptSecret('', 'webhook', 'x')).toThrow('master secret');
  });

  it('detect a change of any byte', () => {
    const stored = encryptSecret(MASTER, 'webhook', 'whsec_x');
    const bytes = Buffer.from(stored.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decryptSecret(MASTER, 'webhook', `v1.${changed.toString('base64url')}`)).toThrow();
    }
  });

  it.each(['', 'v1.', 'v1.AAAA', 'v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'plain text'])(
    'reject %j',
    (stored) => {
      expect(() => decryptSecret(MASTER, 'webhook', stored)).toThrow();
    },
  );
});

describe('encryptBytes and decryptBytes', () => {
  it('return any bytes unchanged, and reject another purpose or a truncated value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const stored = encryptBytes(MASTER, 'photo', bytes);
        expect(new Uint8Array(decryptBytes(MASTER, 'photo', stored))).toEqual(bytes);
        expect(() => decryptBytes(MASTER, 'drawing', stored)).toThrow();
        expect(() => decryptBytes(MASTER, 'photo', stored.subarray(0, stored.length - 1))).toThrow();
      }),
    );
  });
});

describe('deriveTokenFromMasterSecret', () => {
  it('returns the same URL-safe token for the same input, and another for any other', () => {
    const token = deriveTokenFromMasterSecret(MASTER, 'signing', 'res_1', 1);
    expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(deriveTokenFromMasterSecret(MASTER, 'signing', 'res_1', 1)).toBe(token);
    const others = [
      deriveTokenFromMasterSecret('other-master', 'signing', 'res_1', 1),
      deriveTokenFromMasterSecret(MASTER, 'copy', 'res_1', 1),
      deriveTokenFromMasterSecret(MASTER, 'signing', 'res_2', 1),
      deriveTokenFromMasterSecret(MASTER, 'signing', 'res_1', 2),
      deriveTokenFromMasterSecret(MASTER, 'signing', 'res_11', 1),
    ];
    expect(new Set([token, ...others]).size).toBe(6);
  });
});

describe('hashToken and isEqualInConstantTime', () => {
  it('hash as SHA-256 in hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('compare like ===, also with different lengths', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isEqualInConstantTime(a, b) === (a === b)));
    expect(isEqualInConstantTime('same', 'same')).toBe(true);
  });
});
