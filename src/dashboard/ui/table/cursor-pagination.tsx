'use client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../button';
import { DensitySwitch } from './density-switch';

interface CursorPaginationProps {
  /** The number of items on the page: `25 reservations`. */
  summary: string;
  onNewer: (() => void) | null;
  onOlder: (() => void) | null;
  /** The labels of the two buttons, for lists that are not sorted by time. */
  labels?: [newer: string, older: string];
}

/**
 * The pagination of a list with cursors. It has no page numbers, only buttons for newer and older
 * rows.
 */
export function CursorPagination({ summary, onNewer, onOlder, labels }: CursorPaginationProps) {
  const t = useTranslations('ui');
  const [newer, older] = labels ?? [t('newer'), t('older')];
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center justify-between gap-3 border-t px-4 py-3">
      <p className="text-ink-soft text-sm">{summary}</p>
      <div className="flex gap-2">
        <DensitySwitch />
        <Button variant="secondary" size="sm" disabled={!onNewer} onClick={onNewer ?? undefined}>
          <ChevronLeft aria-hidden />
          {newer}
        </Button>
        <Button variant="secondary" size="sm" disabled={!onOlder} onClick={onOlder ?? undefined}>
          {older}
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
