/**
 * One-time codes that confirm a guest's address. A guest needs one before signing if the property
 * requires it, and on the shared link of a booking without an address. A code has six digits and
 * works for ten minutes and five attempts. Only a keyed hash is stored.
 */
import { createHmac, randomInt } from 'node:crypto';
import { getAppSecret } from '@/config';
import { renderOneTimeCodeEmail } from '@/emails/one-time-code';
import type { GuestCode } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { isEqualInConstantTime } from '@/infra/encryption';
import { canMailOneTimeCodeToAddress } from '@/modules/mail/budget';
import { queueMail } from '@/modules/mail/service';
import {
  appendReservationTrailEntries,
  type ReservationWithPropertyAndPacket,
} from '@/modules/reservations/save-transition';
import type { GuestBrowserDetails } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { maskEmailAddress } from '@/shared/guest-text/mask';
import { getGuestMailReplyToAddress } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

export type ConfirmationCodePurpose = 'contact' | 'signing';
type Problem = 'code_invalid' | 'code_expired' | 'code_too_many' | 'rate_limited';

export const CONFIRMATION_CODE_LIFETIME_MINUTES = 10;
const MAX_ATTEMPTS = 5;
/** The maximum number of codes per reservation in ten minutes. It prevents flooding a mailbox. */
const MAX_CODES = 4;
/**
 * How long a confirmed code authorizes the guest's next form. It authorizes only the person who
 * entered the code, not everyone who has the link.
 */
const CONFIRMED_MS = 60 * 60 * 1000;

function hashCode(reservation_id: string, purpose: ConfirmationCodePurpose, email: string, code: string): string {
  return createHmac('sha256', getAppSecret())
    .update(`${reservation_id}\n${purpose}\n${email.toLowerCase()}\n${code}`)
    .digest('hex');
}

/**
 * Mails a new code. Returns `rate_limited` when too many codes were requested, when a shared link
 * was used with too many addresses, or when the team's mail budget is exhausted.
 */
export async function sendConfirmationCodeMail(
  scope: Scope,
  { row, property, sender }: ReservationWithPropertyAndPacket,
  purpose: ConfirmationCodePurpose,
  email: string,
  locale: GuestLocale,
): Promise<'rate_limited' | null> {
  const now = clock().now();
  const since = new Date(now.getTime() - CONFIRMATION_CODE_LIFETIME_MINUTES * 60_000);
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const mail = await renderOneTimeCodeEmail({
    locale,
    code,
    expires_in_minutes: CONFIRMATION_CODE_LIFETIME_MINUTES,
    guest_name: row.guest_name,
    property_name: property.name,
    brand_color: property.brand_color,
    logo_url: property.logo_url,
    sender,
  });
  const send = async () => {
    // The lock prevents concurrent requests from exceeding the limit.
    const now_stored = await repository.lockReservationForCodeRequest(scope, row.id);
    // `redacted` means that the guest was erased after opening the link.
    if (!now_stored || now_stored.redacted) return 'rate_limited' as const;
    if ((await repository.countConfirmationCodesSince(scope, row.id, since)) >= MAX_CODES)
      return 'rate_limited' as const;
    if (purpose === 'contact' && !(await canMailOneTimeCodeToAddress(scope, row.id, email)))
      return 'rate_limited' as const;
    const kept = {
      id: newId('trail_entry'),
      reservation_id: row.id,
      purpose,
      email: email.toLowerCase(),
      code_hash: hashCode(row.id, purpose, email, code),
      expires_at: new Date(now.getTime() + CONFIRMATION_CODE_LIFETIME_MINUTES * 60_000),
      created_at: now,
    };
    await repository.insertConfirmationCode(scope, kept);
    await queueMail(scope, {
      ...mail,
      template: 'one_time_code',
      to: email,
      reservation_id: row.id,
      secret_minutes: CONFIRMATION_CODE_LIFETIME_MINUTES,
      reply_to: getGuestMailReplyToAddress(property, sender),
    });
    return null;
  };
  return inTransaction(scope, send).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return 'rate_limited';
    throw error;
  });
}

function latestCode(scope: Scope, reservation_id: string, purpose: ConfirmationCodePurpose, email: string) {
  return repository.findLatestConfirmationCode(scope, { reservation_id, purpose, email: email.toLowerCase() });
}

const isValid = ({ confirmed_at, expires_at }: Pick<GuestCode, 'confirmed_at' | 'expires_at'>, now: Date): boolean =>
  (confirmed_at ? new Date(confirmed_at.getTime() + CONFIRMED_MS) : expires_at) > now;

/** Returns whether a valid code exists. */
export async function hasValidConfirmationCode(
  scope: Scope,
  reservation_id: string,
  purpose: ConfirmationCodePurpose,
  email: string,
): Promise<boolean> {
  const latest = await latestCode(scope, reservation_id, purpose, email);
  return latest !== null && isValid(latest, clock().now());
}

/**
 * Returns when and to which address the latest code was confirmed. Returns null without a
 * confirmation.
 */
export async function findSigningCodeConfirmation(
  scope: Scope,
  reservation_id: string,
  email: string,
): Promise<{ confirmed_at: string; sent_to: string } | null> {
  const latest = await latestCode(scope, reservation_id, 'signing', email);
  return latest?.confirmed_at
    ? { confirmed_at: latest.confirmed_at.toISOString(), sent_to: maskEmailAddress(latest.email) }
    : null;
}

/**
 * Checks a code. An already confirmed code is accepted again. Each attempt is counted before the
 * comparison, so that concurrent attempts count too. A correct code resets the count. The first
 * confirmation of a signer's address is recorded in the trail.
 */
export async function verifyConfirmationCode(
  scope: Scope,
  reservation_id: string,
  purpose: ConfirmationCodePurpose,
  email: string,
  code: string,
  origin: GuestBrowserDetails = {},
): Promise<Problem | null> {
  const latest = await latestCode(scope, reservation_id, purpose, email);
  const now = clock().now();
  if (!latest || !isValid(latest, now)) return 'code_expired';
  if (!(await repository.countConfirmationCodeAttempt(scope, latest.id, MAX_ATTEMPTS))) return 'code_too_many';
  if (!isEqualInConstantTime(hashCode(reservation_id, purpose, email, code), latest.code_hash)) return 'code_invalid';
  await inTransaction(scope, async () => {
    if (!(await repository.recordGuestEmailCodeConfirmation(scope, latest.id, now))) return;
    // contact.ts records the confirmation for a shared link, together with the new address.
    const item = { type: 'guest.code_confirmed', data: { sent_to: maskEmailAddress(latest.email) } };
    if (purpose === 'signing') await appendReservationTrailEntries(scope, reservation_id, [item], now, origin);
  });
  return null;
}
