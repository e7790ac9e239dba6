/** Computes the codes of an authenticator app for tests. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the six digits for a key in base32 at a time (RFC 6238: SHA-1, 30 seconds). */
export function computeTotpOfKey(key: string, at = Date.now()): string {
  const bits = [...key].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / INTERVAL_MS)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  return String((digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns the key in an `otpauth:` URI. */
export const getTotpKey = (uri: string): string => new URL(uri).searchParams.get('secret') ?? '';

/** Returns the six digits for the key in an `otpauth:` URI at a time. */
export const computeTotp = (uri: string, at: number): string => computeTotpOfKey(getTotpKey(uri), at);

/**
 * Returns the code of the previous interval, which is valid until the current interval ends. Each
 * code works once, so the current code remains unused. If the current interval ends in less than
 * three seconds, waits for the next one.
 */
export async function computePreviousTotpOfKey(key: string): Promise<string> {
  const rest_ms = INTERVAL_MS - (Date.now() % INTERVAL_MS);
  if (rest_ms < 3_000) await sleep(rest_ms);
  return computeTotpOfKey(key, Date.now() - INTERVAL_MS);
}
