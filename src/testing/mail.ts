/** Kept mail, opened: what a test reads to find a link or a code. Only mail that is still to be sent has them. */
import { systemDb } from '@/infra/db/client';
import { openContent } from '@/modules/mail/content';

/** Mails in the order of their creation, with their contents. */
export async function readMails(where: { template?: string; reservation_id?: string; to?: string } = {}) {
  const rows = await systemDb().mailMessage.findMany({ where, orderBy: [{ created_at: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, ...openContent(row) }));
}

/** The newest of them. Throws when there is none. */
export async function readLastMail(where: Parameters<typeof readMails>[0] = {}) {
  const last = (await readMails(where)).at(-1);
  if (!last) throw new Error(`No mail: ${JSON.stringify(where)}`);
  return last;
}
