'use client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button';

interface CursorPaginationProps {
  /** What the page shows, `25 reservations`. */
  summary: string;
  onNewer: (() => void) | null;
  onOlder: (() => void) | null;
}

/** Pages by cursors know no numbers: only newer and older. */
export function CursorPagination({ summary, onNewer, onOlder }: CursorPaginationProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t px-4 py-3">
      <p className="text-ink-soft text-sm">{summary}</p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" disabled={!onNewer} onClick={onNewer ?? undefined}>
          <ChevronLeft aria-hidden />
          Newer
        </Button>
        <Button variant="secondary" size="sm" disabled={!onOlder} onClick={onOlder ?? undefined}>
          Older
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
