/**
 * Whether APP_SECRET is the one that this database's secrets were encrypted with. With another the server would start,
 * open no key, no endpoint's secret and no mail, and make signing links that are not those that guests have.
 */
import { appSecret } from '@/config';
import { clock } from '@/shared/clock';
import { decryptSecret, encryptSecret } from '../../encryption';
import { systemDb } from '../client';

const PURPOSE = 'app-secret-check';

/** Throws with a sentence for the operator when the secret is another; keeps a check of it when there is none yet. */
export async function assertSameSecret(): Promise<void> {
  const check = await systemDb().installationKey.findUnique({ where: { name: 'app-secret' } });
  if (check && !canOpen(check.secret))
    throw new Error(
      'APP_SECRET: has to be the one that this database was made with; what is encrypted in it cannot be read with this one',
    );
  if (check) return;
  const secret = encryptSecret(appSecret(), PURPOSE, 'the same');
  const data = { name: 'app-secret', secret, public_pem: '', created_at: clock().now() };
  await systemDb().installationKey.createMany({ data: [data], skipDuplicates: true });
}

function canOpen(secret: string): boolean {
  try {
    decryptSecret(appSecret(), PURPOSE, secret);
    return true;
  } catch {
    return false;
  }
}
