/** How far a reservation is, in a few words with the time since. Pure. */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { since } from '../ui/since';

type Status = (typeof RESERVATION_STATUSES)[number];

/** What can still be signed. */
export const NOT_SIGNED = ['draft', 'synced', 'sent', 'opened', 'clicked'] as const satisfies readonly Status[];
export const isUnsigned = ({ status }: { status: Status }) => NOT_SIGNED.some((each) => each === status);
/** What the guest was not sent yet. */
export const isUnsent = ({ status }: { status: Status }) => status === 'draft' || status === 'synced';

interface Told {
  status: Status;
  sent_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
  signed_at: string | null;
  manual_override: boolean;
}

export function statusWords(row: Told, now: Date): string {
  const sent = row.sent_at ? `Sent ${since(row.sent_at, now)}` : 'Sent';
  switch (row.status) {
    case 'draft':
    case 'synced':
      return 'Not sent';
    case 'sent':
      return `${sent}, not opened`;
    case 'opened':
      return `${sent}, mail opened${row.opened_at ? ` ${since(row.opened_at, now)}` : ''}`;
    case 'clicked':
      return `${sent}, page seen${row.clicked_at ? ` ${since(row.clicked_at, now)}` : ''}`;
    case 'signed':
      return `${row.manual_override ? 'Marked as signed' : 'Signed'}${row.signed_at ? ` ${since(row.signed_at, now)}` : ''}`;
    case 'expired':
      return 'Stay over, never signed';
    case 'ignored':
      return 'Cancelled';
  }
}

/** Whether it is only another's nights once more, from a second calendar: that one is asked for what is missing. */
export const isRepeat = ({ same_nights }: { same_nights: readonly { as: string }[] }) =>
  same_nights.some(({ as }) => as === 'repeats');
