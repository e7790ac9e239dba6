/** Taking a team's data along, and deleting the team. None of this is part of `/v1`. */
import { z } from 'zod';

export const ExportLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });

export const DeletionPreview = z.object({
  properties: z.int(),
  reservations: z.int(),
  certificates: z.int(),
  /** What is under legal hold, and so stands in the way. */
  held: z.int(),
});
export type DeletionPreview = z.infer<typeof DeletionPreview>;

export const PropertyDeletionPreview = z.object({
  packets: z.int(),
  reservations: z.int(),
  /** Of these, sent or synced ones whose stay is not over: deleting then needs force. */
  active_reservations: z.int(),
  calendars: z.int(),
  /** Certificates outlive the property. */
  certificates: z.int(),
  /** Nothing under legal hold is ever deleted. */
  legal_hold: z.boolean(),
});
export type PropertyDeletionPreview = z.infer<typeof PropertyDeletionPreview>;

export const TeamDeletion = z.strictObject({
  /** The team's name, typed. */
  name: z.string().max(200),
  password: z.string().min(1).max(256),
  /** Of the authenticator app, or a recovery code; only where the account has a second factor. */
  code: z.string().max(40).optional(),
});

export const Done = z.object({ ok: z.literal(true) });
