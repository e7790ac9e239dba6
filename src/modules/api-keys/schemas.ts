/** What the dashboard's key procedures take and answer. A key cannot manage keys, so none of this is part of `/v1`. */
import { z } from 'zod';
import { requiredText, says } from '@/shared/schemas';
import { SCOPE_NAMES } from './scopes';

const date_time = z.iso.datetime();

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['secret', 'restricted']),
  /** Empty for a secret key, which has all. */
  scopes: z.array(z.string()),
  ip_allow: z.array(z.string()),
  /** `service_test_sk_…a1B2`: enough to recognise a key by, and nothing that helps to guess it. */
  hint: z.string(),
  state: z.enum(['active', 'deprecated', 'expired', 'revoked']),
  created_at: date_time,
  last_used_at: date_time.nullable(),
  /** When the old key of a rotation stops working. */
  expires_at: date_time.nullable(),
  successor_id: z.string().nullable(),
  revoked_at: date_time.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyList = z.object({
  data: z.array(ApiKey),
  /** How many keys count against the limit of this mode, and the limit. */
  active: z.int(),
  limit: z.int(),
});

export const ApiKeyCreate = z.strictObject({
  name: requiredText(80),
  /** Null: a secret key with full access. */
  scopes: z
    .array(z.enum(SCOPE_NAMES as [string, ...string[]], { error: says('is not a scope') }))
    .max(SCOPE_NAMES.length)
    .nullable(),
  ip_allow: z.array(z.string().trim().min(1).max(64)).max(50, 'must have at most 50 ranges').default([]),
});

export const ApiKeyId = z.strictObject({ id: z.string().min(1).max(100) });

/** The only answers that hold a key. */
export const ApiKeyCreated = z.object({ api_key: ApiKey, key: z.string() });
export const ApiKeyRotated = z.object({ api_key: ApiKey, key: z.string(), old_expires_at: date_time });

/** Who still calls with a key: its requests by operation and program, the most frequent first. */
export const ApiKeyUsage = z.object({
  since: date_time,
  total: z.int(),
  last_at: date_time.nullable(),
  calls: z.array(
    z.object({
      method: z.string(),
      /** The path with ids replaced: `/v1/reservations/{id}`. */
      route: z.string(),
      user_agent: z.string().nullable(),
      ips: z.array(z.string()),
      count: z.int(),
      last_at: date_time,
    }),
  ),
});
export type ApiKeyUsage = z.infer<typeof ApiKeyUsage>;
