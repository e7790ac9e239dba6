'use client';
import { useTranslations } from 'use-intl/react';
import { getAuditEntryDetailLabel } from '@/modules/audit-log/actions';
import { findPagePathByObjectId } from '../../developers/object-link';
import { useMe } from '../../shell/me';
import type { AuditLogEntry } from '../../types';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';

type Detail = AuditLogEntry['details'][number];

/**
 * Returns a function that names an action. Unknown actions of newer versions are shown unchanged.
 */
export function useAuditActionLabel() {
  const t = useTranslations('settings');
  return (action: string): string => {
    const key = `action_${action.replaceAll('.', '_')}` as 'action_user_signed_in';
    return t.has(key) ? t(key) : action;
  };
}

/**
 * Returns a function that describes the details of an entry. Unknown values of newer versions are
 * shown unchanged.
 */
function useDetailWords() {
  const t = useTranslations('settings');
  const say = (key: string, otherwise: string) => (t.has(key as 'detail_name') ? t(key as 'detail_name') : otherwise);
  const shownValue = ({ name, value }: Detail): string => {
    if (name === 'role') return say(`role_${value}`, value);
    return name === 'with' ? say(`with_${value.replaceAll(' ', '_')}`, value) : value;
  };
  return (detail: Detail): string => {
    const name = say(`detail_${detail.name}`, getAuditEntryDetailLabel(detail.name));
    return `${name}: ${shownValue(detail)}`;
  };
}

/** Shows an entry's action, its object, and what changed. */
export function AuditEntrySummary({ entry }: { entry: AuditLogEntry }) {
  const t = useTranslations('settings');
  // Objects of the other mode have no page in this mode. Deleted objects have no page in any mode.
  const { mode } = useMe();
  const has_page = entry.object_id && entry.mode === mode && !entry.action.endsWith('.deleted');
  const href = has_page && entry.object_id ? findPagePathByObjectId(entry.object_id) : null;
  const words = useAuditActionLabel()(entry.action);
  const detailWords = useDetailWords();
  return (
    <div className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        {href ? (
          <Link href={href} className="underline underline-offset-4">
            {words}
          </Link>
        ) : (
          words
        )}
        {entry.mode === 'test' ? <Badge tone="test">{t('test')}</Badge> : null}
      </span>
      {entry.details.length > 0 ? (
        <span className="max-w-md break-words text-ink-soft text-xs">{entry.details.map(detailWords).join(' · ')}</span>
      ) : null}
    </div>
  );
}
