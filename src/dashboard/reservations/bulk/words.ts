/** Describes an action on several reservations. Pure. */
import type { BulkAction } from '@/modules/reservations/bulk/bulk-limits.rules';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';

/**
 * Describes what the action does for one reservation: the recipient and language of the mail
 * (`ada@example.com, in German`), or the effect of a cancellation. `locale` is the reader's
 * language.
 */
export function describeBulkActionEffect(
  action: BulkAction,
  row: { to: string | null; language: string | null; sent_at: string | null },
  t: NamespaceTranslator<'reservations'>,
  locale: string,
) {
  if (action === 'cancel') return t(row.sent_at ? 'link_dies' : 'was_not_sent');
  const to = row.to ?? t('no_address');
  const first = action === 'resend' && !row.sent_at;
  if (!row.language) return first ? t('goes_to_first', { to }) : to;
  const language = new Intl.DisplayNames([locale], { type: 'language' }).of(row.language) ?? row.language;
  return t(first ? 'goes_to_in_first' : 'goes_to_in', { to, language });
}
