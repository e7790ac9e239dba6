import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../ui/cn';

interface UsageBarProps {
  label: string;
  used: number;
  limit: number;
  note?: ReactNode;
}

/** Shows the usage of a limit as a text and a bar. */
export function UsageBar({ label, used, limit, note }: UsageBarProps) {
  const t = useTranslations('settings');
  const share = Math.min(1, used / limit);
  return (
    <div className="grid gap-1.5 text-sm">
      <div className="flex items-baseline justify-between gap-3">
        <span>{label}</span>
        <span className="whitespace-nowrap tabular-nums">{t('used_of_limit', { used, limit })}</span>
      </div>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-muted">
        <div
          className={cn('h-full rounded-full', share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-warning' : 'bg-primary')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {note ? <p className="break-words text-ink-soft text-xs">{note}</p> : null}
    </div>
  );
}
