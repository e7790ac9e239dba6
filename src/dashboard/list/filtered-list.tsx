'use client';
/**
 * A list with filters above it and pagination below. The URL contains the filters and the cursor.
 * When the list is empty, a text explains whether the filters are the reason.
 */
import { SearchX } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { FilterBar } from './filter-bar';
import type { useListUrl } from './list-url';
import { PaginatedTable } from './page-of';

interface FilteredListProps<Row extends { id: string }>
  extends Omit<ComponentProps<typeof PaginatedTable<Row>>, 'cursor' | 'onTurn'> {
  /** The result of `useListUrl`. */
  list: Pick<ReturnType<typeof useListUrl<string>>, 'cursor' | 'turn' | 'clear' | 'count'>;
  /** Singular and plural: `['request', 'requests']`. */
  noun: readonly [one: string, many: string];
  filters: ReactNode;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
}

export function FilteredList<Row extends { id: string }>({
  list: { cursor, turn, clear, count },
  noun: [, many],
  filters,
  empty,
  ...page
}: FilteredListProps<Row>) {
  const t = useTranslations('ui');
  const nothingFits = (
    <EmptyState
      icon={SearchX}
      title={t('no_one_fits_these_filters', { many })}
      action={
        <Button variant="secondary" onClick={clear}>
          {t('clear_the_filters')}
        </Button>
      }
    />
  );
  return (
    <>
      <FilterBar label={t('filter_many', { many })} count={count} onClear={clear}>
        {filters}
      </FilterBar>
      <PaginatedTable cursor={cursor} onTurn={turn} empty={count > 0 ? nothingFits : empty} {...page} />
    </>
  );
}
