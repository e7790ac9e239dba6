/**
 * Stored mails in decrypted form, in which tests find links and codes. Only queued mails contain
 * them.
 */
import { systemDb } from '@/infra/db/client';
import { openContent } from '@/modules/mail/content';
import { suppress } from '@/modules/mail/repository';
import { clock } from '@/shared/clock';

/** Mails in order of creation, with their contents. */
export async function readMails(where: { template?: string; reservation_id?: string; to?: string } = {}) {
  const rows = await systemDb().mailMessage.findMany({ where, orderBy: [{ created_at: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, ...openContent(row) }));
}

/** The newest matching mail. Throws when there is none. */
export async function readLastMail(where: Parameters<typeof readMails>[0] = {}) {
  const last = (await readMails(where)).at(-1);
  if (!last) throw new Error(`No mail: ${JSON.stringify(where)}`);
  return last;
}

/** Puts an address on the list of those that are never mailed again. */
export const suppressAddress = (address: string): Promise<void> => suppress([address], 'bounced', clock().now());
