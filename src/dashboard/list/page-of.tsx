'use client';
/** A filtered list with cursor pagination in all its states: loading, failed, empty, full. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { ErrorPanel } from '../ui/error-panel';
import { CursorPagination } from '../ui/table/cursor-pagination';
import { type Column, DataTable, type RowSelection } from '../ui/table/data-table';
import { type Cursor, getNeighborCursors } from './cursor';

interface PageOfProps<Row extends { id: string }> {
  query: {
    data: { data: Row[]; has_more: boolean } | undefined;
    error: unknown;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  cursor: Cursor;
  onTurn: (cursor: Cursor) => void;
  columns: Column<Row>[];
  /** The name of the rows with a capital letter: `Deliveries`. */
  label: string;
  href?: (row: Row) => string;
  card: (row: Row) => ReactNode;
  empty: ReactNode;
  choosing?: RowSelection<Row>;
}

export function PaginatedTable<Row extends { id: string }>({
  query,
  cursor,
  onTurn,
  label,
  ...table
}: PageOfProps<Row>) {
  const t = useTranslations('ui');
  if (query.error && !query.data) {
    const { code, message, request_id } = toDisplayableError(query.error);
    // The object whose id is the cursor may have been deleted.
    const lost = code === 'invalid_cursor';
    return (
      <ErrorPanel
        title={t('label_could_not_be_loaded', { label })}
        message={lost ? t('the_page_you_were_on_is_no') : message}
        requestId={request_id}
        onRetry={lost ? () => onTurn({}) : () => void query.refetch()}
      />
    );
  }
  const { newer, older } = getNeighborCursors(cursor, query.data);
  const count = query.data?.data.length ?? 0;
  return (
    <>
      <DataTable label={label} data={query.data?.data} stale={query.isPlaceholderData} {...table} />
      {query.data && (count > 0 || newer) ? (
        <CursorPagination
          summary={t('count_on_this_page', { count })}
          onNewer={newer && (() => onTurn(newer))}
          onOlder={older && (() => onTurn(older))}
        />
      ) : null}
    </>
  );
}
