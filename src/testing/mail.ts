/**
 * Reads stored mails in decrypted form, so that tests can find links and codes. Only queued mails
 * contain links and codes.
 */
import { systemDb } from '@/infra/db/client';
import { decryptMailContent } from '@/modules/mail/content';
import { suppressEmailAddresses } from '@/modules/mail/repository';
import { clock } from '@/shared/clock';

/** Returns mails in order of creation, with their contents. */
export async function readOutboundMails(where: { template?: string; reservation_id?: string; to?: string } = {}) {
  const rows = await systemDb().mailMessage.findMany({ where, orderBy: [{ created_at: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, ...decryptMailContent(row) }));
}

/** Returns the newest matching mail. Throws when there is none. */
export async function readLastOutboundMail(where: Parameters<typeof readOutboundMails>[0] = {}) {
  const last = (await readOutboundMails(where)).at(-1);
  if (!last) throw new Error(`No mail: ${JSON.stringify(where)}`);
  return last;
}

/** Adds an address to the list of addresses that never get mail again. */
export const suppressEmailAddress = (address: string): Promise<void> =>
  suppressEmailAddresses([address], 'bounced', clock().now());
