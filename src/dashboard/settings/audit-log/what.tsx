'use client';
import { useTranslations } from 'use-intl/react';
import { pageOfId } from '../../developers/object-link';
import { useMe } from '../../shell/me';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import type { AuditEntry } from './queries';

/** What an action is called; one that this version does not know keeps its name. */
export function useActionWords() {
  const t = useTranslations('settings');
  return (action: string): string => {
    const key = `action_${action.replaceAll('.', '_')}` as 'action_user_signed_in';
    return t.has(key) ? t(key) : action;
  };
}

/** The action in words, what it was about, and what changed. */
export function What({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('settings');
  // A thing of the other mode has no page in this one, and what was deleted has none at all.
  const { mode } = useMe();
  const has_page = entry.object_id && entry.mode === mode && !entry.action.endsWith('.deleted');
  const href = has_page && entry.object_id ? pageOfId(entry.object_id) : null;
  const words = useActionWords()(entry.action);
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
      {entry.details ? <span className="max-w-md break-words text-ink-soft text-xs">{entry.details}</span> : null}
    </div>
  );
}
