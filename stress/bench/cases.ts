/**
 * The measured cases. Each creates its requests from the seeded data. The product and the baseline
 * get the same requests.
 */
import { randomUUID } from 'node:crypto';
import type { SeededData } from './lib/seed';

export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers: Record<string, string>;
}

export interface BenchCase {
  readonly name: string;
  /** The case's group on the command line: `npm run bench list`. */
  readonly group: 'read' | 'list' | 'write';
  readonly what: string;
  /** The minimum ratio of the product's requests per second to the baseline's. */
  readonly target: number;
  next(): BenchRequest;
}

const pick = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
};

export function buildBenchCases(seeded: SeededData): BenchCase[] {
  const headers = { authorization: `Bearer ${seeded.key}` };
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers });
  return [
    {
      name: 'read',
      group: 'read',
      what: 'GET /v1/reservations/{id}, ids at random',
      target: 0.7,
      next: () => get(`/v1/reservations/${pick(seeded.reservation_ids)}`),
    },
    {
      name: 'list, first page',
      group: 'list',
      what: 'GET /v1/reservations?limit=25&status=sent',
      target: 0.75,
      next: () => get('/v1/reservations?limit=25&status=sent'),
    },
    {
      name: 'list, deep page',
      group: 'list',
      what: `the same, starting after ${seeded.sent_before_deep} of ${seeded.sent} reservations`,
      target: 0.75,
      next: () => get(`/v1/reservations?limit=25&status=sent&starting_after=${seeded.deep_cursor}`),
    },
    {
      name: 'write',
      group: 'write',
      what: 'POST /v1/reservations, each with a fresh idempotency key',
      target: 0.6,
      next: () => ({
        method: 'POST',
        path: '/v1/reservations',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({
          property_id: pick(seeded.property_ids),
          guest_name: 'Ada Lovelace',
          guest_email: 'ada@example.com',
          checkin_date: '2031-05-04',
          checkout_date: '2031-05-09',
          source: 'direct',
        }),
      }),
    },
  ];
}
