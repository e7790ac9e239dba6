/**
 * Checks that this database was encrypted with APP_SECRET. With another secret the server would
 * start, but could not decrypt keys, endpoint secrets or mails. It would also create new signing
 * links, and the links that guests have would stop working.
 */
import { getAppSecret } from '@/config';
import { clock } from '@/shared/clock';
import { decryptSecret, encryptSecret } from '../../encryption';
import { systemDb } from '../client';

const PURPOSE = 'app-secret-check';

/**
 * Throws a message for the operator when the secret differs. Stores a check value when there is
 * none yet.
 */
export async function assertAppSecretUnchanged(): Promise<void> {
  const check = await systemDb().installationKey.findUnique({ where: { name: 'app-secret' } });
  if (check && !canOpen(check.secret))
    throw new Error(
      'APP_SECRET: has to be the one that this database was made with; what is encrypted in it cannot be read with this one',
    );
  if (check) return;
  const secret = encryptSecret(getAppSecret(), PURPOSE, 'the same');
  const data = { name: 'app-secret', secret, public_pem: '', created_at: clock().now() };
  await systemDb().installationKey.createMany({ data: [data], skipDuplicates: true });
}

function canOpen(secret: string): boolean {
  try {
    decryptSecret(getAppSecret(), PURPOSE, secret);
    return true;
  } catch {
    return false;
  }
}
