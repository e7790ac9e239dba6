'use client';
import { actionWords } from '@/modules/audit-log/actions';
import { pageOfId } from '../../developers/object-link';
import { useMe } from '../../shell/me';
import { Badge } from '../../ui/badge';
import { Link } from '../../ui/link';
import type { AuditEntry } from './queries';

/** The action in words, what it was about, and what changed. */
export function What({ entry }: { entry: AuditEntry }) {
  // A thing of the other mode has no page in this one, and what was deleted has none at all.
  const { mode } = useMe();
  const has_page = entry.object_id && entry.mode === mode && !entry.action.endsWith('.deleted');
  const href = has_page && entry.object_id ? pageOfId(entry.object_id) : null;
  const words = actionWords(entry.action);
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
        {entry.mode === 'test' ? <Badge tone="test">Test</Badge> : null}
      </span>
      {entry.details ? <span className="max-w-md break-words text-ink-soft text-xs">{entry.details}</span> : null}
    </div>
  );
}
