/** What the page at which a terminal is let in asks and is told. */
import { z } from 'zod';

/** As it was typed. */
export const UserCode = z.strictObject({ user_code: z.string().max(100) });

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
