/**
 * Whether APP_SECRET is the one that this database's secrets were encrypted with. With another the server would start,
 * open no key, no endpoint's secret and no mail, and make signing links that are not those that guests have.
 */
import { appSecret } from '@/config';
import { clock } from '@/shared/clock';
import { decryptSecret, encryptSecret } from '../../encryption';
import { systemDb } from '../client';

/** What is encrypted for whom, by the row's name; before there was a check of its own the sealing key says as much. */
const PURPOSES: Readonly<Record<string, string>> = { 'app-secret': 'app-secret-check', sealing: 'sealing-key' };

/** Throws with a sentence for the operator when the secret is another; keeps a check of it when there is none yet. */
export async function assertSameSecret(): Promise<void> {
  const rows = await systemDb().installationKey.findMany();
  for (const { name, secret } of rows) {
    const purpose = PURPOSES[name];
    if (purpose && !canOpen(purpose, secret))
      throw new Error(
        'APP_SECRET: has to be the one that this database was made with; what is encrypted in it cannot be read with this one',
      );
  }
  if (rows.some(({ name }) => name === 'app-secret')) return;
  const secret = encryptSecret(appSecret(), 'app-secret-check', 'the same');
  const data = { name: 'app-secret', secret, public_pem: '', created_at: clock().now() };
  await systemDb().installationKey.createMany({ data: [data], skipDuplicates: true });
}

function canOpen(purpose: string, secret: string): boolean {
  try {
    decryptSecret(appSecret(), purpose, secret);
    return true;
  } catch {
    return false;
  }
}
