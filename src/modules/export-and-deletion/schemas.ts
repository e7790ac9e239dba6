/** Schemas for exporting a team's data and deleting the team. Not part of `/v1`. */
import { z } from 'zod';

export const ExportLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });

export const TeamDeletionPreview = z.object({
  properties: z.int(),
  reservations: z.int(),
  certificates: z.int(),
  /** The number of rows under legal hold. Any such row prevents the deletion. */
  held: z.int(),
});
export type TeamDeletionPreview = z.infer<typeof TeamDeletionPreview>;

export const PropertyDeletionPreview = z.object({
  packets: z.int(),
  reservations: z.int(),
  /**
   * The number of reservations that make `force` necessary: unsigned ones whose stay is not over.
   */
  active_reservations: z.int(),
  calendars: z.int(),
  /** Certificates are kept, not deleted. */
  certificates: z.int(),
  /** Whether a legal hold prevents the deletion. */
  legal_hold: z.boolean(),
});
export type PropertyDeletionPreview = z.infer<typeof PropertyDeletionPreview>;

export const TeamDeletionInput = z.strictObject({
  /** The team's name, typed by the owner as a confirmation. */
  name: z.string().max(200),
  /** Not required right after signing in with a passkey or a company account. */
  password: z.string().min(1).max(256).optional(),
  /** A TOTP code or a recovery code. Required if the account has an authenticator app. */
  code: z.string().max(40).optional(),
});

export const SuccessResult = z.object({ ok: z.literal(true) });
