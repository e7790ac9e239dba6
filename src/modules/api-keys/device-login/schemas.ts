/** Inputs and outputs of the page on which an owner approves a terminal. */
import { z } from 'zod';
import { SCOPE_NAMES } from '../scopes';
import { KEY_DAYS, MAX_KEY_DAYS } from './codes.rules';

/** The code as the user typed it. */
export const UserCode = z.strictObject({ user_code: z.string().max(100) });

/** The granted access, which may be less than was requested. */
export const DeviceGrant = z.strictObject({
  user_code: z.string().max(100),
  /** Null means full access, if that was requested. */
  scopes: z
    .array(z.enum(SCOPE_NAMES as [string, ...string[]]))
    .min(1)
    .max(SCOPE_NAMES.length)
    .nullable(),
  days: z.int().min(1).max(MAX_KEY_DAYS).default(KEY_DAYS),
});

export const WaitingDevice = z.object({
  /** The name that the terminal sends. Null when it sends none. */
  device_name: z.string().nullable(),
  ip: z.string().nullable(),
  mode: z.enum(['live', 'test']),
  /** Empty means full access. */
  scopes: z.array(z.string()),
  key_name: z.string(),
  expires_at: z.iso.datetime(),
  /** The number of keys that count toward the mode's limit, and the limit. */
  active: z.int(),
  limit: z.int(),
});
