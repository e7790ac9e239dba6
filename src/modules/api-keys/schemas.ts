/** Inputs and outputs of the dashboard's key procedures. None is part of `/v1`. */
import { z } from 'zod';
import { createInvalidValueMessage, requiredTextField } from '@/shared/schemas';
import { API_KEY_SCOPE_NAMES } from './scopes';

const date_time = z.iso.datetime();

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['secret', 'restricted']),
  /** Empty for a secret key, which has every scope. */
  scopes: z.array(z.string()),
  ip_allow: z.array(z.string()),
  /** `service_test_sk_…a1B2`: enough to recognize a key, but not to guess it. */
  hint: z.string(),
  state: z.enum(['active', 'deprecated', 'expired', 'revoked']),
  created_at: date_time,
  last_used_at: date_time.nullable(),
  expires_at: date_time.nullable(),
  successor_id: z.string().nullable(),
  revoked_at: date_time.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyList = z.object({
  data: z.array(ApiKey),
  /** The number of active keys in this mode, and the maximum. */
  active: z.int(),
  limit: z.int(),
});

export const ApiKeyCreate = z.strictObject({
  name: requiredTextField(80),
  /** Null creates a secret key with full access. */
  scopes: z
    .array(z.enum(API_KEY_SCOPE_NAMES as [string, ...string[]], { error: createInvalidValueMessage('is not a scope') }))
    .max(API_KEY_SCOPE_NAMES.length)
    .nullable(),
  ip_allow: z.array(z.string().trim().min(1).max(64)).max(50, 'must have at most 50 ranges').default([]),
});

export const ApiKeyId = z.strictObject({ id: z.string().min(1).max(100) });

/** The only responses that contain a key. */
export const CreatedApiKey = z.object({ api_key: ApiKey, key: z.string() });
export const ApiKeyRotationResult = z.object({ api_key: ApiKey, key: z.string(), old_expires_at: date_time });

/** The calls made with a key, by operation and user agent, most frequent first. */
export const ApiKeyUsage = z.object({
  since: date_time,
  total: z.int(),
  last_at: date_time.nullable(),
  calls: z.array(
    z.object({
      method: z.string(),
      /** The path with placeholders for ids: `/v1/reservations/{id}`. */
      route: z.string(),
      user_agent: z.string().nullable(),
      ips: z.array(z.string()),
      count: z.int(),
      last_at: date_time,
    }),
  ),
});
export type ApiKeyUsage = z.infer<typeof ApiKeyUsage>;
