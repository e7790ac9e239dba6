'use client';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
/** The card of a list in all its states: loading, failed, empty, full. */
import { QueryErrorPanel } from './query-error';
import { Card } from './ui/card';
import { type Column, DataTable } from './ui/table/data-table';

interface ListCardProps<Row extends { id: string }> {
  query: { error: unknown; isPlaceholderData: boolean; refetch: () => unknown };
  /** Undefined while the first page loads. */
  rows: Row[] | undefined;
  columns: Column<Row>[];
  /** The name of the rows with a capital letter: `Properties`. */
  label: string;
  href?: (row: Row) => string;
  card: (row: Row) => ReactNode;
  empty: ReactNode;
}

export function ListCard<Row extends { id: string }>({ query, rows, label, ...table }: ListCardProps<Row>) {
  const t = useTranslations('ui');
  if (query.error && !rows) {
    return (
      <Card>
        <QueryErrorPanel title={t('label_could_not_be_loaded', { label })} query={query} />
      </Card>
    );
  }
  return (
    <Card>
      <DataTable label={label} data={rows} stale={query.isPlaceholderData} {...table} />
    </Card>
  );
}
