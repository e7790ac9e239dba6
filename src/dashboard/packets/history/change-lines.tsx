'use client';
import { Badge } from '../../ui/badge';
import type { ChangeLine } from './revision-diff';

const KINDS = {
  added: { tone: 'success', text: 'added' },
  removed: { tone: 'danger', text: 'removed' },
  changed: { tone: 'info', text: 'changed' },
  moved: { tone: 'neutral', text: 'moved' },
} as const;

/** What a change does, line by line. */
export function ChangeLines({ lines }: { lines: readonly ChangeLine[] }) {
  if (lines.length === 0) return <p className="text-ink-soft text-sm">Nothing that is shown here.</p>;
  return (
    <ul className="grid gap-2 text-sm">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change do not move.
        <li key={index} className="grid gap-0.5">
          <span className="flex items-center gap-2">
            {line.what}
            <Badge tone={KINDS[line.kind].tone}>{KINDS[line.kind].text}</Badge>
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
