'use client';
import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { Button } from '../ui/button';
import { Link } from '../ui/link';
import { Skeleton } from '../ui/skeleton';
import type { AttentionProblem } from './attention';

interface ProblemLineProps {
  /** Undefined while loading. */
  problems: readonly AttentionProblem[] | undefined;
  error: unknown;
  onRetry: () => void;
}

/**
 * Shows what needs the host's attention, as one line with counts. Renders nothing when there are no
 * problems.
 */
export function AttentionProblemLine({ problems, error, onRetry }: ProblemLineProps) {
  const t = useTranslations('home');
  const ui = useTranslations('ui');
  if (error && !problems) {
    const { message, request_id } = toDisplayableError(error);
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-danger text-sm">
        {t('what_needs_attention_could_not_be_loaded')}: {message}
        {request_id ? (
          <span className="text-ink-soft text-xs">{ui('request_id_value', { id: request_id })}</span>
        ) : null}
        <Button variant="secondary" size="sm" onClick={onRetry}>
          {ui('try_again')}
        </Button>
      </p>
    );
  }
  if (!problems) return <Skeleton className="h-11 rounded-lg!" />;
  if (problems.length === 0) return null;
  return (
    <div className="flex items-start gap-3 rounded-lg border border-warning/30 bg-warning-tint px-4 py-2.5 text-sm">
      <TriangleAlert className="mt-1 size-4 shrink-0 text-warning" aria-hidden />
      <ul aria-label={t('needs_your_attention')} className="flex min-w-0 flex-wrap gap-x-5 gap-y-0.5">
        {problems.map(({ key, label, href }) => (
          <li key={key}>
            <Link href={href} className="inline-block py-0.5 font-medium underline underline-offset-4">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
