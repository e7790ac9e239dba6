/** Serializes API keys for the dashboard, without hash and prefix. */
import type { ApiKey as ApiKeyRow } from '@/generated/prisma/client';
import { formatApiKeyHint, getApiKeyState } from './rules';
import type { ApiKey } from './schemas';

const iso = (date: Date | null) => date?.toISOString() ?? null;

/**
 * Serializes a key. Its state depends on `now`, because a rotated key expires without an update.
 */
export function serializeApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const type = row.type === 'secret' ? 'secret' : 'restricted';
  return {
    id: row.id,
    name: row.name,
    type,
    scopes: row.scopes,
    ip_allow: row.ip_allow,
    hint: formatApiKeyHint(row.mode, type, row.last4),
    state: getApiKeyState(row, now),
    created_at: row.created_at.toISOString(),
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    successor_id: row.successor_id,
    revoked_at: iso(row.revoked_at),
  };
}
