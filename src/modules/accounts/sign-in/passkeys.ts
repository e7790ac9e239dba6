/**
 * Passkeys, with better-auth's plugin. A passkey counts as both factors, because the authenticator
 * must verify its user (by fingerprint, face or PIN). Passkeys without user verification can be
 * neither added nor used.
 */
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { config } from '@/config';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { revokeOtherSessionsAndResetLinks } from '../confirmation/confirmation.repository';
import { sendAccountMail } from '../mailer';
import { recordUserAuditEntry } from './auth-audit';
import * as repository from './passkeys.repository';

const refuse = (status: 'BAD_REQUEST' | 'UNAUTHORIZED', code: string, message: string) =>
  new APIError(status, { code, message });

/** Configures the plugin. Passkeys are bound to the host and the origin of APP_URL. */
export function createPasskeyPlugin() {
  const { hostname, origin } = new URL(config().app_url);
  return passkey({
    rpID: hostname,
    rpName: 'Threshold',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      afterVerification: async ({ verification }) => {
        const { userVerified, credential } = verification.registrationInfo ?? {};
        if (!userVerified || !credential)
          throw refuse('BAD_REQUEST', 'USER_NOT_VERIFIED', 'The user was not verified.');
        if (await repository.findPasskey(credential.id))
          throw refuse('BAD_REQUEST', 'PASSKEY_NOT_ADDED', 'This passkey cannot be added.');
      },
    },
    authentication: {
      afterVerification: async ({ verification, clientData }) => {
        if (!verification.authenticationInfo.userVerified)
          throw refuse('UNAUTHORIZED', 'USER_NOT_VERIFIED', 'The user was not verified.');
        const found = await repository.findPasskey(clientData.id);
        // An unconfirmed account cannot be opened by a passkey, just as it cannot be opened by a
        // password.
        if (isMailProviderConfigured() && !found?.user.emailVerified)
          throw refuse('UNAUTHORIZED', 'PASSKEY_NOT_FOUND', 'Passkey not found');
      },
    },
  });
}

interface Changed {
  user: { id: string; name: string; email: string };
  session_id: string;
  headers: Headers;
  name: string;
}

/**
 * Records a new passkey. If it is the account's first second factor, it counts as used in this
 * session, and all sessions opened without a second factor end. Adding a passkey does not count as
 * a recent sign-in (proof.ts).
 */
export async function recordAddedPasskey({ user, session_id, headers, name }: Changed): Promise<void> {
  if (await repository.upgradeSessionIfPasskeyIsOnlySecondFactor(user.id, session_id))
    await revokeOtherSessionsAndResetLinks(user.id, [session_id]);
  await recordUserAuditEntry(user, 'user.passkey_added', headers, { name });
  await sendAccountMail({ template: 'security_change', to: user.email, change: 'passkey_added', subject: name });
}

/** Ends the other sessions that used a removed passkey, because its device may be lost. */
export async function endSessionsOfRemovedPasskey({ user, session_id, headers, name }: Changed): Promise<void> {
  await repository.endSessionsUsingRemovedFactor(user.id, session_id, 'passkey');
  await recordUserAuditEntry(user, 'user.passkey_removed', headers, { name });
  await sendAccountMail({ template: 'security_change', to: user.email, change: 'passkey_removed', subject: name });
}
