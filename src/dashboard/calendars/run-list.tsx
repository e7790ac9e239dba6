'use client';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { SyncSource, SyncSourceRun } from '../types';
import { Badge } from '../ui/badge';
import { DescriptionList } from '../ui/card';
import { CalendarDay, CalendarDayRange, DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Link } from '../ui/link';
import { Dialog } from '../ui/overlay/dialog';
import type { Column } from '../ui/table/data-table';
import {
  describeCalendarChangesWithGuestNames,
  describeSkippedEntryReason,
  describeSyncChangeCounts,
  SYNC_RUN_OUTCOME_BADGE_TONES,
} from './labels';

/** Returns a function that summarizes a run: its changes and its message. */
function useSummary() {
  const t = useTranslations('calendar_detail');
  return ({ changes, counts, error }: SyncSourceRun) =>
    [describeCalendarChangesWithGuestNames(changes, t) ?? describeSyncChangeCounts(counts, t), error]
      .filter(Boolean)
      .join('. ') || t('no_changes');
}

/**
 * Lists a calendar's runs that changed or reported something. Other scheduled runs are not
 * recorded.
 */
export function SyncRunList({ source, zone }: { source: SyncSource; zone: string | null | undefined }) {
  const t = useTranslations('calendar_detail');
  const summary = useSummary();
  const trpc = useTRPC();
  const runs = useQuery(trpc.sync_sources.runs.queryOptions({ id: source.id }, { refetchInterval: 10_000 }));
  const [shown, setShown] = useState<SyncSourceRun | null>(null);
  const columns: Column<SyncSourceRun>[] = [
    {
      id: 'started',
      header: t('started'),
      cell: (row) => (
        <button
          type="button"
          className="text-left font-medium underline-offset-4 hover:underline"
          onClick={() => setShown(row)}
        >
          <DateTime value={row.started_at} zone={zone} />
        </button>
      ),
    },
    { id: 'status', header: t('outcome'), cell: (row) => <RunBadge run={row} /> },
    {
      id: 'changes',
      header: t('what_changed'),
      cell: (row) => <span className="line-clamp-2 max-w-md">{summary(row)}</span>,
    },
    {
      id: 'trigger',
      header: t('started_by'),
      cell: (row) => row.started_by?.name ?? t(`by_${row.trigger}`),
    },
  ];
  return (
    <section aria-labelledby="runs" className="grid gap-3">
      <div className="grid gap-0.5">
        <h2 id="runs" className="font-semibold text-base">
          {t('runs')}
        </h2>
        <p className="text-ink-soft text-sm">{t('about_every_15_minutes')}</p>
      </div>
      <ListCard
        query={runs}
        rows={runs.data?.data}
        columns={columns}
        label={t('runs')}
        card={(run) => (
          <button type="button" className="grid w-full gap-1.5 text-left" onClick={() => setShown(run)}>
            <span className="flex items-center justify-between gap-3">
              <DateTime value={run.started_at} zone={zone} />
              <RunBadge run={run} />
            </span>
            <span className="text-ink-soft text-sm">{summary(run)}</span>
          </button>
        )}
        empty={<EmptyState icon={History} title={t('no_runs_yet')} />}
      />
      {shown ? <RunDialog run={shown} zone={zone} onClose={() => setShown(null)} /> : null}
    </section>
  );
}

function RunBadge({ run }: { run: SyncSourceRun }) {
  const t = useTranslations('calendar_detail');
  const nothing_done =
    run.status === 'succeeded' && run.error !== null && describeSyncChangeCounts(run.counts, t) === null;
  const outcome = nothing_done ? 'held_back' : run.status;
  return <Badge tone={SYNC_RUN_OUTCOME_BADGE_TONES[outcome]}>{t(`run_${outcome}`)}</Badge>;
}

function RunDialog({
  run,
  zone,
  onClose,
}: {
  run: SyncSourceRun;
  zone: string | null | undefined;
  onClose: () => void;
}) {
  const t = useTranslations('calendar_detail');
  const summary = useSummary();
  const { counts } = run;
  return (
    <Dialog open onOpenChange={onClose} size="lg" title={t('run')} description={summary(run)}>
      <div className="grid gap-5">
        <DescriptionList
          items={[
            { label: t('started'), value: <DateTime value={run.started_at} zone={zone} seconds /> },
            { label: t('took'), value: run.duration_ms === null ? '–' : `${run.duration_ms} ms` },
            {
              label: t('the_calendar_answered'),
              value: run.http_status === null ? t('nothing') : `HTTP ${run.http_status}`,
            },
            { label: t('events'), value: counts.seen },
            { label: t('new_reservations'), value: counts.created },
            { label: t('changed'), value: counts.updated + counts.moved + counts.restored },
            { label: t('unchanged'), value: counts.unchanged },
            { label: t('cancelled'), value: counts.cancelled },
          ]}
        />
        {run.excerpt ? (
          <section className="grid gap-2">
            <h3 className="font-semibold text-sm">{t('what_came_instead_of_a_calendar')}</h3>
            <pre className="overflow-x-auto whitespace-pre-wrap break-all rounded-lg border bg-muted/60 p-3 font-mono text-xs">
              {run.excerpt}
            </pre>
          </section>
        ) : null}
        <Changes changes={run.changes} counts={counts} />
        {run.skipped.length > 0 ? (
          <section className="grid gap-2">
            <h3 className="font-semibold text-sm">
              {t('entries_that_created_nothing', { count: run.skipped.length })}
            </h3>
            <ul className="grid gap-2 text-sm">
              {run.skipped.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and entries may be equal.
                <li key={index} className="grid gap-0.5 rounded-lg border px-3 py-2">
                  <span className="break-words font-medium">{entry.summary || t('without_words')}</span>
                  <span className="text-ink-soft">
                    {entry.checkin_date && entry.checkout_date ? (
                      <>
                        <CalendarDayRange from={entry.checkin_date} to={entry.checkout_date} />
                        {' · '}
                      </>
                    ) : null}
                    {entry.message ?? describeSkippedEntryReason(entry.reason, t)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </Dialog>
  );
}

/** Lists the reservations that a run changed, the most severe changes first. */
function Changes({ changes, counts }: Pick<SyncSourceRun, 'changes' | 'counts'>) {
  const t = useTranslations('calendar_detail');
  if (changes.length === 0) return null;
  const all = counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled;
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold text-sm">{t('what_changed')}</h3>
      <ul className="grid gap-2 text-sm" aria-label={t('what_changed')}>
        {changes.map(({ what, reservation_id, guest_name, checkin_date, checkout_date, was }) => (
          <li key={`${what} ${reservation_id}`} className="grid gap-0.5 rounded-lg border px-3 py-2">
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={what === 'cancelled' ? 'danger' : 'neutral'}>{t(`change_${what}`)}</Badge>
              <Link href={paths.reservation(reservation_id)} className="break-words font-medium hover:underline">
                {guest_name}
              </Link>
            </span>
            <span className="text-ink-soft">
              <CalendarDayRange from={checkin_date} to={checkout_date} />
              {was && (was.checkin_date !== checkin_date || was.checkout_date !== checkout_date)
                ? t.rich('was_on', {
                    from: () => <CalendarDay value={was.checkin_date} />,
                    to: () => <CalendarDay value={was.checkout_date} />,
                  })
                : null}
            </span>
          </li>
        ))}
      </ul>
      {all > changes.length ? (
        <p className="text-ink-soft text-sm">{t('and_count_more', { count: all - changes.length })}</p>
      ) : null}
    </section>
  );
}
