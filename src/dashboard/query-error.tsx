'use client';
import { toDisplayableError } from './read-error';
import { ErrorPanel } from './ui/error-panel';

interface QueryErrorProps {
  title: string;
  query: { error: unknown; refetch: () => unknown };
}

/** Shows the reason why a query failed, with a button that retries it. */
export function QueryErrorPanel({ title, query }: QueryErrorProps) {
  const { message, request_id } = toDisplayableError(query.error);
  return <ErrorPanel title={title} message={message} requestId={request_id} onRetry={() => void query.refetch()} />;
}
