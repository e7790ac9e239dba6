'use client';
import { useTranslations } from 'use-intl/react';
import { Badge } from '../../ui/badge';
import type { RevisionChangeLine } from './revision-diff';

const TONES = { added: 'success', removed: 'danger', changed: 'info', moved: 'neutral' } as const;

/** Lists what a revision of the packet changed, one line for each change. */
export function RevisionChangeList({ lines }: { lines: readonly RevisionChangeLine[] }) {
  const t = useTranslations('packets');
  if (lines.length === 0) return <p className="text-ink-soft text-sm">{t('nothing_that_is_shown_here')}</p>;
  return (
    <ul className="grid gap-2 text-sm">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change do not move.
        <li key={index} className="grid gap-0.5">
          <span className="flex items-center gap-2">
            {line.what}
            <Badge tone={TONES[line.kind]}>{t(`change_${line.kind}`)}</Badge>
          </span>
          {line.before ? (
            <del className="whitespace-pre-wrap break-words text-ink-soft decoration-danger/60">{line.before}</del>
          ) : null}
          {line.after ? <ins className="whitespace-pre-wrap break-words no-underline">{line.after}</ins> : null}
        </li>
      ))}
    </ul>
  );
}
