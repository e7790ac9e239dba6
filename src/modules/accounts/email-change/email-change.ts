/**
 * Changes a user's own e-mail address. The password or a very recent sign-in proves the user's
 * identity, and the mailed link proves access to the new mailbox. The link's page changes the
 * address with a POST in a session of the same account. Responses and mails are the same if another
 * account uses the new address, so that they reveal nothing. Only the holder of that mailbox
 * learns, on the link's page, that the address is taken.
 */
import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { hashToken } from '@/infra/encryption';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { countAttemptOrThrowOverLimit } from '../attempt-counters/attempts';
import { disconnectAssistants } from '../confirmation/confirmation.repository';
import { EMAIL_CHANGE_LINK_LIFETIME_MINUTES, sendAccountMail } from '../mailer';
import type { EmailAddressChangeView } from '../schemas';
import type { SignedInUser } from '../session';
import { assertIdentityProven } from '../sign-in/assert-proven';
import { buildClientIpHeaders, recordUserAuditEntry } from '../sign-in/auth-audit';
import { hasSessionSkippedSecondFactor } from '../sign-in/proof';
import * as repository from './email-change.repository';

const HOUR_MS = 3_600_000;
const MAX_CHANGES_PER_HOUR = 5;

interface EmailChangeInput {
  email: string;
  password?: string;
}

/**
 * Mails a confirmation link to the new address and a notice to the old one. Replaces a pending
 * change. Throws invalid_field, insufficient_scope and rate_limit_exceeded.
 */
export async function requestEmailChange(
  user: SignedInUser,
  input: EmailChangeInput,
  ip: string | null,
): Promise<void> {
  if (!isMailProviderConfigured())
    throw new AppError('insufficient_scope', { message: createRefusal('no_mail_to_confirm') });
  const email = input.email.toLowerCase();
  await assertIdentityProven(user, input.password, ip);
  if (email === user.email)
    throw new AppError('invalid_field', { param: 'email', message: createRefusal('address_is_yours') });
  await countAttemptOrThrowOverLimit(`email-change:${user.id}`, MAX_CHANGES_PER_HOUR, HOUR_MS);
  const token = randomBytes(24).toString('base64url');
  await repository.replacePendingEmailChange(user.id, email, hashToken(token), EMAIL_CHANGE_LINK_LIFETIME_MINUTES);
  await recordUserAuditEntry(user, 'user.email_change_requested', buildClientIpHeaders(ip), { to: email });
  await sendAccountMail({
    template: 'email_change',
    to: email,
    url: `${config().app_url}/change-email?token=${token}`,
  });
  const notice = { template: 'security_change', to: user.email, change: 'email_change_requested' } as const;
  await sendAccountMail({ ...notice, subject: email });
}

export async function cancelEmailChange(user: SignedInUser): Promise<void> {
  await repository.deleteEmailChange(user.id);
}

/** Returns the content of the link's page, or null for an unknown or expired link. */
export async function loadEmailChangeView(
  token: string,
  user_id: string | null,
): Promise<EmailAddressChangeView | null> {
  const found = await repository.findEmailChangeByTokenHash(hashToken(token));
  if (!found) return null;
  const state = user_id === null ? 'sign_in' : user_id === found.user_id ? 'open' : 'another_account';
  return { email: found.email, state };
}

/**
 * Applies the change. The session must belong to the account, and must have used a second factor if
 * the account has one. Throws resource_missing and invalid_field.
 */
export async function confirmEmailChange(user: SignedInUser, token: string, headers: Headers): Promise<void> {
  if (await hasSessionSkippedSecondFactor(user.opened))
    throw new AppError('invalid_field', { message: createRefusal('prove_it_is_you') });
  const changed = await repository.applyEmailChange(user.id, hashToken(token), user.session_id);
  if (changed === null) throw new AppError('resource_missing');
  if (changed === 'taken')
    throw new AppError('invalid_field', { param: 'email', message: createRefusal('address_has_an_account') });
  await disconnectAssistants(user.id);
  await recordUserAuditEntry(user, 'user.email_changed', headers, changed);
  const notice = { template: 'security_change', to: changed.from, change: 'email_changed' } as const;
  await sendAccountMail({ ...notice, subject: changed.to });
}
