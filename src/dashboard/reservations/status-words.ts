/** Describes a reservation's progress in a few words, such as when it was sent. Pure. */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import type { NamespaceTranslator } from '../i18n/namespace-translator';

type Status = (typeof RESERVATION_STATUSES)[number];

/** Statuses in which a guest may still sign. */
export const UNSIGNED_STATUSES = ['draft', 'synced', 'sent', 'opened', 'clicked'] as const satisfies readonly Status[];
export const isReservationUnsigned = ({ status }: { status: Status }) =>
  UNSIGNED_STATUSES.some((each) => each === status);
/** Returns whether nothing has been sent to the guest. */
export const isReservationUnsent = ({ status }: { status: Status }) => status === 'draft' || status === 'synced';

interface Told {
  status: Status;
  sent_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
  signed_at: string | null;
  manual_override: boolean;
}

/** Describes a reservation's progress. `ago` formats the time since a moment. */
export function describeReservationProgress(
  row: Told,
  t: NamespaceTranslator<'reservations'>,
  ago: (moment: string) => string,
): string {
  const told = (what: 'sent' | 'opened' | 'seen' | 'signed' | 'marked', moment: string | null) =>
    moment ? t(`${what}_ago`, { ago: ago(moment) }) : t(`${what}_once`);
  const sent = told('sent', row.sent_at);
  switch (row.status) {
    case 'draft':
    case 'synced':
      return t('not_sent');
    case 'sent':
      return `${sent}, ${t('not_opened')}`;
    case 'opened':
      return `${sent}, ${told('opened', row.opened_at)}`;
    case 'clicked':
      return `${sent}, ${told('seen', row.clicked_at)}`;
    case 'signed':
      return told(row.manual_override ? 'marked' : 'signed', row.signed_at);
    case 'expired':
      return t('never_signed');
    case 'ignored':
      return t('status_ignored');
  }
}

/**
 * Returns whether this booking repeats a booking for the same nights from another calendar. The
 * dashboard requests missing details only for the other booking.
 */
export const isBookingRepeatedFromOtherCalendar = ({ same_nights }: { same_nights: readonly { as: string }[] }) =>
  same_nights.some(({ as }) => as === 'repeats');
