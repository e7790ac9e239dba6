'use client';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from './button';
import { CopyButton } from './copy-field';

interface ErrorPanelProps {
  title: string;
  message: string;
  /** The request's id, `req_…`, for support and for searching the log. */
  requestId?: string | null;
  onRetry?: () => void;
  action?: ReactNode;
}

/** Shows an error: what happened, what to do, and the request's id. */
export function ErrorPanel({ title, message, requestId, onRetry, action }: ErrorPanelProps) {
  const t = useTranslations('ui');
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-6 py-16 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-danger-tint text-danger">
        <TriangleAlert className="size-5" aria-hidden />
      </span>
      <p className="font-semibold">{title}</p>
      <p className="max-w-md text-balance text-ink-soft text-sm leading-relaxed">{message}</p>
      {requestId ? (
        <p className="flex items-center gap-1 text-ink-soft text-xs">
          {t('request_id')} <code className="font-mono">{requestId}</code>
          <CopyButton value={requestId} label={t('request_id_2')} />
        </p>
      ) : null}
      <div className="mt-1 flex gap-2">
        {onRetry ? (
          <Button variant="secondary" onClick={onRetry}>
            {t('try_again')}
          </Button>
        ) : null}
        {action}
      </div>
    </div>
  );
}
