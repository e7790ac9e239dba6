/**
 * Checks before the measurement that all servers respond identically. Otherwise comparing their
 * speeds would be meaningless.
 */
import { deepStrictEqual } from 'node:assert/strict';
import type { BenchCase } from '../cases';

const SAMPLES = 25;
/** Fields whose values differ even if the same resource is created twice. */
const OWN_TO_EACH = new Set(['id', 'created_at', 'updated_at']);

/** Throws when the responses of a case differ in status or JSON. */
export async function assertSameResponses(product: string, baseline: string, subject: BenchCase): Promise<void> {
  for (let i = 0; i < SAMPLES; i++) {
    const { path, ...init } = subject.next();
    const [ours, theirs] = await Promise.all([product, baseline].map((url, side) => ask(url + path, init, side)));
    deepStrictEqual(ours, theirs, `${subject.name}: the two servers answer ${path} differently.`);
  }
}

async function ask(url: string, init: { headers: Record<string, string> } & RequestInit, side: number) {
  // Both servers use one database. Each needs its own idempotency key, or the second would replay
  // the first one's response.
  const key = init.headers['idempotency-key'];
  const headers = { ...init.headers, ...(key && { 'idempotency-key': `${key}-${side}` }) };
  const response = await fetch(url, { ...init, headers });
  const body = (await response.json()) as Record<string, unknown>;
  const shown = init.method === 'POST' ? Object.entries(body).filter(([name]) => !OWN_TO_EACH.has(name)) : body;
  return { status: response.status, body: shown };
}
