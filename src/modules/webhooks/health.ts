/** The health of the team's endpoints, for the dashboard. */

import type { WebhookEndpoint as EndpointRow } from '@/generated/prisma/client';
import { clock } from '@/shared/clock';
import { parseStoredRefusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import type { EndpointDeliveryHistory, EndpointHealth } from './host.schemas';
import { serializeEndpoint } from './serializer';
import { retrieveEndpoint } from './service';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const BUCKET_MS = 6 * HOUR_MS;
const BUCKETS = (7 * DAY_MS) / BUCKET_MS;
/** Returns an endpoint's health. Throws resource_missing. */
export async function retrieveEndpointHealth(
  scope: Scope,
  id: string,
): Promise<ResultWithUntranslatedRefusals<EndpointHealth>> {
  const [health] = await loadEndpointHealth(scope, [await retrieveEndpoint(scope, id)]);
  if (!health) throw new Error('An endpoint lost its health.');
  return health;
}

/** Returns endpoints with their health, in the same order. */
export async function loadEndpointHealth(
  scope: Scope,
  rows: readonly EndpointRow[],
): Promise<ResultWithUntranslatedRefusals<EndpointHealth>[]> {
  const ids = rows.map((row) => row.id);
  const [counts, waiting] = await Promise.all([
    repository.countFinishedAttemptsByEndpoint(scope, new Date(clock().now().getTime() - DAY_MS)),
    repository.countWaitingDeliveryAttempts(scope, ids),
  ]);
  return rows.map((row) => {
    const recent = counts.find((count) => count.endpoint_id === row.id);
    return {
      ...serializeEndpoint(row),
      disabled_reason: parseStoredRefusal(row.disabled_reason),
      disabled_at: row.disabled_at?.toISOString() ?? null,
      failing_since: row.failing_since?.toISOString() ?? null,
      circuit_open_until: row.circuit_open_until?.toISOString() ?? null,
      digest: row.digest,
      waiting: waiting.get(row.id) ?? 0,
      last_24h: { succeeded: recent?.succeeded ?? 0, failed: recent?.failed ?? 0 },
    };
  });
}

/** Returns an endpoint's history of the last seven days. Throws resource_missing. */
export async function getEndpointDeliveryHistory(scope: Scope, id: string): Promise<EndpointDeliveryHistory> {
  await retrieveEndpoint(scope, id);
  // Buckets begin at multiples of their length, so that their boundaries do not depend on the time
  // of the request.
  const end = Math.ceil((clock().now().getTime() + 1) / BUCKET_MS) * BUCKET_MS;
  const since = new Date(end - BUCKETS * BUCKET_MS);
  const [rows, durations] = await Promise.all([
    repository.groupAttemptsByTimeBucket(scope, id, since, BUCKET_MS / 1000),
    repository.listAttemptDurations(scope, id, since),
  ]);
  const found = new Map(rows.map((row) => [row.bucket, row]));
  const buckets = Array.from({ length: BUCKETS }, (_, index) => ({
    from: new Date(since.getTime() + index * BUCKET_MS).toISOString(),
    succeeded: found.get(index)?.succeeded ?? 0,
    failed: found.get(index)?.failed ?? 0,
  }));
  return { buckets, ...durations };
}
