'use client';
import { History } from 'lucide-react';
import { useState } from 'react';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { Badge } from '../ui/badge';
import { Facts } from '../ui/card';
import { CalendarDay, DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Link } from '../ui/link';
import { Dialog } from '../ui/overlay/dialog';
import type { Column } from '../ui/table/data-table';
import { CHANGES, changesOf, countOf, namesOf, RUN_STATUS, SKIP_REASONS } from './labels';
import { type Source, type SourceRun, useRuns } from './queries';

const summary = (run: SourceRun) =>
  [namesOf(run.changes) ?? changesOf(run.counts), run.error].filter(Boolean).join('. ') || 'No changes';

/** A calendar's runs that did or said something; quiet scheduled ones are not recorded. */
export function RunList({ source, zone }: { source: Source; zone: string | null | undefined }) {
  const runs = useRuns(source.id);
  const [shown, setShown] = useState<SourceRun | null>(null);
  const columns: Column<SourceRun>[] = [
    {
      id: 'started',
      header: 'Started',
      cell: ({ row }) => (
        <button
          type="button"
          className="text-left font-medium underline-offset-4 hover:underline"
          onClick={() => setShown(row.original)}
        >
          <DateTime value={row.original.started_at} zone={zone} />
        </button>
      ),
    },
    { id: 'status', header: 'Outcome', cell: ({ row }) => <RunBadge run={row.original} /> },
    {
      id: 'changes',
      header: 'What changed',
      cell: ({ row }) => <span className="line-clamp-2 max-w-md">{summary(row.original)}</span>,
    },
    {
      id: 'trigger',
      header: 'Started by',
      cell: ({ row }) => (row.original.trigger === 'forced' ? 'Someone' : 'The schedule'),
    },
  ];
  return (
    <section aria-labelledby="runs" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id="runs" className="font-semibold text-base">
          Runs
        </h2>
        <p className="text-ink-soft text-sm">
          About every 15 minutes. Scheduled runs that found nothing new are not listed.
        </p>
      </div>
      <ListCard
        query={runs}
        rows={runs.data?.data}
        columns={columns}
        label="Runs"
        card={(run) => (
          <button type="button" className="grid w-full gap-1.5 text-left" onClick={() => setShown(run)}>
            <span className="flex items-center justify-between gap-3">
              <DateTime value={run.started_at} zone={zone} />
              <RunBadge run={run} />
            </span>
            <span className="text-ink-soft text-sm">{summary(run)}</span>
          </button>
        )}
        empty={<EmptyState icon={History} title="No runs yet" />}
      />
      {shown ? <RunDialog run={shown} zone={zone} onClose={() => setShown(null)} /> : null}
    </section>
  );
}

function RunBadge({ run }: { run: SourceRun }) {
  const nothing_done = run.status === 'succeeded' && run.error !== null && changesOf(run.counts) === null;
  const { label, tone } = RUN_STATUS[nothing_done ? 'held_back' : run.status];
  return <Badge tone={tone}>{label}</Badge>;
}

function RunDialog({ run, zone, onClose }: { run: SourceRun; zone: string | null | undefined; onClose: () => void }) {
  const { counts } = run;
  return (
    <Dialog open onOpenChange={onClose} size="lg" title="Run" description={summary(run)}>
      <div className="grid gap-5">
        <Facts
          items={[
            { label: 'Started', value: <DateTime value={run.started_at} zone={zone} seconds /> },
            { label: 'Took', value: run.duration_ms === null ? '–' : `${run.duration_ms} ms` },
            { label: 'The calendar answered', value: run.http_status === null ? 'Nothing' : `HTTP ${run.http_status}` },
            { label: 'Events', value: counts.seen },
            { label: 'New reservations', value: counts.created },
            { label: 'Changed', value: counts.updated + counts.moved + counts.restored },
            { label: 'Unchanged', value: counts.unchanged },
            { label: 'Cancelled', value: counts.cancelled },
          ]}
        />
        {run.excerpt ? (
          <section className="grid gap-2">
            <h3 className="font-semibold text-sm">What came instead of a calendar</h3>
            <pre className="overflow-x-auto whitespace-pre-wrap break-all rounded-lg border bg-muted/60 p-3 font-mono text-xs">
              {run.excerpt}
            </pre>
          </section>
        ) : null}
        <Changes changes={run.changes} counts={counts} />
        {run.skipped.length > 0 ? (
          <section className="grid gap-2">
            <h3 className="font-semibold text-sm">
              {countOf(run.skipped.length, 'entry', 'entries')} that created nothing
            </h3>
            <ul className="grid gap-2 text-sm">
              {run.skipped.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a record that never changes; entries may be alike.
                <li key={index} className="grid gap-0.5 rounded-lg border px-3 py-2">
                  <span className="break-words font-medium">{entry.summary || 'Without words'}</span>
                  <span className="text-ink-soft">
                    {entry.checkin_date && entry.checkout_date ? (
                      <>
                        <CalendarDay value={entry.checkin_date} /> to <CalendarDay value={entry.checkout_date} />
                        {' · '}
                      </>
                    ) : null}
                    {entry.message ?? SKIP_REASONS[entry.reason] ?? entry.reason}
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

/** What became of whom, what is lost first. */
function Changes({ changes, counts }: Pick<SourceRun, 'changes' | 'counts'>) {
  if (changes.length === 0) return null;
  const all = counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled;
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold text-sm">What changed</h3>
      <ul className="grid gap-2 text-sm" aria-label="What changed">
        {changes.map(({ what, reservation_id, guest_name, checkin_date, checkout_date, was }) => (
          <li key={`${what} ${reservation_id}`} className="grid gap-0.5 rounded-lg border px-3 py-2">
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={what === 'cancelled' ? 'danger' : 'neutral'}>{CHANGES[what]}</Badge>
              <Link href={paths.reservation(reservation_id)} className="break-words font-medium hover:underline">
                {guest_name}
              </Link>
            </span>
            <span className="text-ink-soft">
              <CalendarDay value={checkin_date} /> to <CalendarDay value={checkout_date} />
              {was && (was.checkin_date !== checkin_date || was.checkout_date !== checkout_date) ? (
                <>
                  {', was '}
                  <CalendarDay value={was.checkin_date} /> to <CalendarDay value={was.checkout_date} />
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {all > changes.length ? <p className="text-ink-soft text-sm">and {all - changes.length} more</p> : null}
    </section>
  );
}
