/** Who still calls with a key: what a rotation's countdown is about. Read from the request log. */

import { callsOfKey } from '@/modules/request-log/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import { ROTATION_WINDOW_MS } from './rules';
import type { ApiKeyUsage } from './schemas';

/**
 * The calls made with a key: since its rotation when it was rotated, else of the last 24 hours.
 * Throws resource_missing.
 */
export async function keyUsage(scope: Scope, id: string): Promise<ApiKeyUsage> {
  const key = await repository.findKey(scope, id);
  if (!key) throw new AppError('resource_missing', { message: refusal('no_such_api_key', { id }) });
  const until = key.expires_at ?? clock().now();
  const since = new Date(until.getTime() - ROTATION_WINDOW_MS);
  const calls = await callsOfKey(scope, id, since);
  return {
    since: since.toISOString(),
    total: calls.reduce((sum, call) => sum + call.count, 0),
    last_at: calls.map((call) => call.last_at).reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null),
    calls,
  };
}
