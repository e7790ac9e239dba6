/** Describes an action on several reservations. Pure. */
import type { BulkAction } from '@/modules/reservations/bulk/bulk-limits.rules';
import type { WordsOf } from '../../i18n/words-of';

/**
 * Describes what the action does for one reservation. For a mail: `ada@example.com, in German`. For
 * a cancellation: whether the guest's link stops working. `locale` is the reader's.
 */
export function goesTo(
  action: BulkAction,
  row: { to: string | null; language: string | null; sent_at: string | null },
  t: WordsOf<'reservations'>,
  locale: string,
) {
  if (action === 'cancel') return t(row.sent_at ? 'link_dies' : 'was_not_sent');
  const to = row.to ?? t('no_address');
  const first = action === 'resend' && !row.sent_at;
  if (!row.language) return first ? t('goes_to_first', { to }) : to;
  const language = new Intl.DisplayNames([locale], { type: 'language' }).of(row.language) ?? row.language;
  return t(first ? 'goes_to_in_first' : 'goes_to_in', { to, language });
}
