/**
 * Mails about the same booking, made by editing Channel B's confirmation of HA-Q2W3E4 (Jane Doe, 1
 * to 5 June).
 */
import * as inbox from '../inbox.service';
import { receiveMail } from '../receive';
import { address, fixture, mails, rows, scope } from './mail-world';

const BOOKED = 'channel-b-en-redirected';
let sent = 0;

export type Edit = (text: string) => string;

/**
 * Receives the confirmation with another subject and edited text. Returns the mail as the inbox
 * shows it.
 */
export async function write(subject: string, edit: Edit = (text) => text) {
  const text = new TextDecoder().decode(fixture(BOOKED));
  const made = text.replace(/^Subject: .*$/m, `Subject: ${subject}`).replace('<b-en@', `<b-${++sent}@`);
  await receiveMail(new TextEncoder().encode(edit(made)), [address]);
  return await inbox.retrieveMail(scope, (await mails()).at(-1)?.id ?? '');
}

export const CANCELLED = 'Reservation from Jane Doe has been canceled: Jun 1 - Jun 5, 2026 - Channel B #4821193';
export const cancellation = (edit?: Edit) => write(CANCELLED, edit);
export const change = (edit: Edit = (text) => text, days = 'Jun 2 - Jun 6') =>
  write(`Reservation from Jane Doe has been changed: ${days}, 2026 - Channel B #4821193`, (text) =>
    edit(text.replaceAll('Dates: Jun 1 - Jun 5, 2026', `Dates: ${days}, 2026`)),
  );
export const book = () => receiveMail(fixture(BOOKED), [address]);
export const stay = async () => (await rows())[0];
