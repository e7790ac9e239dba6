/** What is said of one action on several reservations. Pure. */
import type { BulkAction } from '@/modules/reservations/bulk/actions.rules';

export const guests = (count: number) => `${count} ${count === 1 ? 'guest' : 'guests'}`;
const reservations = (count: number) => `${count} ${count === 1 ? 'reservation' : 'reservations'}`;

interface Words {
  verb: string;
  /** While it is not known yet how many. */
  title: string;
  ask: (count: number) => string;
  confirm: (count: number) => string;
  done: (count: number) => string;
  will: string;
}

export const WORDS: Record<BulkAction, Words> = {
  send: {
    verb: 'Send',
    title: 'Send the packet',
    ask: (count) => `Send the packet to ${guests(count)}?`,
    confirm: (count) => `Send to ${guests(count)}`,
    done: (count) => `Sent to ${guests(count)}.`,
    will: 'Gets the link to the house rules, to be signed before arrival:',
  },
  resend: {
    verb: 'Send again',
    title: 'Send it again',
    ask: (count) => `Send it again to ${guests(count)}?`,
    confirm: (count) => `Send again to ${guests(count)}`,
    done: (count) => `Sent again to ${guests(count)}.`,
    will: 'Gets a fresh link; that of an earlier mail stops working:',
  },
  cancel: {
    verb: 'Cancel',
    title: 'Cancel reservations',
    ask: (count) => `Cancel ${reservations(count)}?`,
    confirm: (count) => `Cancel ${reservations(count)}`,
    done: (count) => `${reservations(count)} cancelled.`,
    will: 'Is cancelled. Nobody is mailed; a link that was sent says that the reservation was cancelled:',
  },
};

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

/** `ada@example.com, in German`: where a mail goes, or that none does. */
export function goesTo(
  action: BulkAction,
  row: { to: string | null; language: string | null; sent_at: string | null },
) {
  if (action === 'cancel') return row.sent_at ? 'Was sent: the link dies' : 'Was not sent';
  const first = action === 'resend' && !row.sent_at ? ', for the first time' : '';
  const language = row.language ? `, in ${languages.of(row.language) ?? row.language}` : '';
  return `${row.to ?? 'No address'}${language}${first}`;
}
