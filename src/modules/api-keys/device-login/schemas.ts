/** Inputs and outputs of the page on which an owner approves a terminal. */
import { z } from 'zod';
import { API_KEY_SCOPE_NAMES } from '../scopes';
import { DEFAULT_DEVICE_API_KEY_LIFETIME_DAYS, MAX_DEVICE_API_KEY_LIFETIME_DAYS } from './codes.rules';

/** The code as the user typed it. */
export const DeviceLoginUserCodeInput = z.strictObject({ user_code: z.string().max(100) });

/** The granted access, which may be less than was requested. */
export const DeviceLoginApprovalInput = z.strictObject({
  user_code: z.string().max(100),
  /** Null grants full access, which is allowed only if it was requested. */
  scopes: z
    .array(z.enum(API_KEY_SCOPE_NAMES as [string, ...string[]]))
    .min(1)
    .max(API_KEY_SCOPE_NAMES.length)
    .nullable(),
  days: z.int().min(1).max(MAX_DEVICE_API_KEY_LIFETIME_DAYS).default(DEFAULT_DEVICE_API_KEY_LIFETIME_DAYS),
});

export const PendingDeviceLogin = z.object({
  /** The device name that the terminal sent, if any. */
  device_name: z.string().nullable(),
  ip: z.string().nullable(),
  mode: z.enum(['live', 'test']),
  /** The requested scopes. Empty means full access. */
  scopes: z.array(z.string()),
  key_name: z.string(),
  expires_at: z.iso.datetime(),
  /** The number of active keys in this mode, and the maximum. */
  active: z.int(),
  limit: z.int(),
});
