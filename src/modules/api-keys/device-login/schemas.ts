/** What the page at which a terminal is let in asks and is told. */
import { z } from 'zod';
import { SCOPE_NAMES } from '../scopes';
import { KEY_DAYS, KEY_DAYS_AT_MOST } from './codes.rules';

/** As it was typed. */
export const UserCode = z.strictObject({ user_code: z.string().max(100) });

/** What the owner gives, which may be less than was asked for. */
export const DeviceGrant = z.strictObject({
  user_code: z.string().max(100),
  /** Null: everything, where that was asked for. */
  scopes: z
    .array(z.enum(SCOPE_NAMES as [string, ...string[]]))
    .min(1)
    .max(SCOPE_NAMES.length)
    .nullable(),
  days: z.int().min(1).max(KEY_DAYS_AT_MOST).default(KEY_DAYS),
});

export const WaitingDevice = z.object({
  /** What the terminal says of itself; null when it says nothing. */
  device_name: z.string().nullable(),
  ip: z.string().nullable(),
  mode: z.enum(['live', 'test']),
  /** Empty: everything. */
  scopes: z.array(z.string()),
  key_name: z.string(),
  expires_at: z.iso.datetime(),
  /** How many keys of the mode count against its limit, and the limit. */
  active: z.int(),
  limit: z.int(),
});
