'use client';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useFormattingLocale } from '../../i18n/formats';
import { QueryErrorPanel } from '../../query-error';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { Dialog } from '../../ui/overlay/dialog';
import { Skeleton } from '../../ui/skeleton';
import type { PacketContentFields } from '../editor/draft';
import { RevisionChangeList } from './change-lines';
import { describeRevisionChanges } from './revision-diff';

interface HistoryDialogProps {
  id: string;
  zone: string | null;
  /** The saved packet. */
  current: PacketContentFields;
  /** The reason why an earlier version cannot be restored. Null when it can. */
  refusal: string | null;
  onRestore: (content: PacketContentFields) => void;
  onClose: () => void;
}

/** Lists the packet's changes, newest first, with author and time. Each version can be restored. */
export default function HistoryDialog({ id, zone, current, refusal, onRestore, onClose }: HistoryDialogProps) {
  const t = useTranslations('packets');
  const terms = useTranslations('terms');
  const formats = useFormattingLocale();
  const trpc = useTRPC();
  const revisions = useQuery(trpc.packets.revisions.queryOptions({ id }, { staleTime: 0 }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('history')}
      description={t('the_last_50_changes_what_guests_signed')}
    >
      {revisions.data ? (
        revisions.data.length === 0 ? (
          <EmptyState icon={History} title={t('nothing_has_changed_yet')}>
            {t('every_change_is_kept_here_with_who')}
          </EmptyState>
        ) : (
          <ol className="grid gap-5" aria-label={t('changes')}>
            {revisions.data.map((revision, index) => (
              <li key={revision.id} className="grid gap-2 border-line border-l-2 pl-4">
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <p className="text-sm">
                    <span className="font-medium">{revision.changed_by ?? t('someone')}</span>
                    <span className="text-ink-soft">
                      {' · '}
                      <DateTime value={revision.changed_at} zone={zone} seconds />
                    </span>
                  </p>
                  <Button
                    variant="secondary"
                    size="sm"
                    disabledReason={refusal}
                    onClick={() => onRestore(revision.before)}
                  >
                    {t('back_to_before_this')}
                  </Button>
                </div>
                <RevisionChangeList
                  lines={describeRevisionChanges(revision.before, revisions.data[index - 1]?.before ?? current, {
                    ...{ t, terms, formats },
                  })}
                />
              </li>
            ))}
          </ol>
        )
      ) : revisions.error ? (
        <QueryErrorPanel title={t('the_history_could_not_be_loaded')} query={revisions} />
      ) : (
        <div className="grid gap-3" aria-busy>
          <Skeleton className="h-5 w-56" />
          <Skeleton className="h-16" />
          <Skeleton className="h-5 w-48" />
        </div>
      )}
    </Dialog>
  );
}
