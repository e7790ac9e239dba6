'use client';
import { SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from './read-error';
import { Card } from './ui/card';
import { EmptyState } from './ui/empty-state';
import { ErrorPanel } from './ui/error-panel';
import { LinkButton } from './ui/link-button';
import { Skeleton } from './ui/skeleton';

interface NotFoundOrErrorProps {
  error: unknown;
  /** The kind of object, such as `event` or `request`. */
  noun: string;
  /** The reason why the object may be missing. Without it, the server's message is shown. */
  missing?: string;
  list: { href: string; label: string };
  onRetry: () => void;
}

/** Shown instead of an object's page when the object cannot be loaded. */
export function NotFoundOrErrorCard({ error, noun, missing, list, onRetry }: NotFoundOrErrorProps) {
  const t = useTranslations('ui');
  const { status, message, request_id } = toDisplayableError(error);
  return (
    <Card>
      {status === 404 ? (
        <EmptyState
          icon={SearchX}
          title={t('there_is_no_such_noun', { noun })}
          action={
            <LinkButton variant="secondary" href={list.href}>
              {list.label}
            </LinkButton>
          }
        >
          {missing ?? message}
        </EmptyState>
      ) : (
        <ErrorPanel
          title={t('the_noun_could_not_be_loaded', { noun })}
          message={message}
          requestId={request_id}
          onRetry={onRetry}
        />
      )}
    </Card>
  );
}

export const DetailPageSkeleton = () => (
  <Card className="grid gap-4 p-5">
    <Skeleton className="h-4 w-1/2" />
    <Skeleton className="h-4 w-2/3" />
    <Skeleton className="h-40" />
  </Card>
);
