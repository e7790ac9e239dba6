'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListChecks, ServerCog, ShieldAlert } from 'lucide-react';
import { Notice } from '../developers/notice';
import { buildListInputFromCursor, pickAllowedValue } from '../list/cursor';
import { SelectFilter } from '../list/filter-bar';
import { FilteredList } from '../list/filtered-list';
import { useListUrl } from '../list/list-url';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import type { EngineRun } from '../types';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { AnchorButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { DURABLE_RUN_STATE_OPTIONS, DURABLE_RUN_STATES, DurableRunBadge, getTriggerEventLabel } from './run-badge';

const columns: Column<EngineRun>[] = [
  {
    id: 'function',
    header: 'Function',
    cell: (row) => (
      <div className="grid gap-1 py-1">
        <span className="whitespace-nowrap font-mono text-xs">{row.function}</span>
        {row.about ? <span className="line-clamp-2 max-w-80 break-all text-ink-soft text-xs">{row.about}</span> : null}
      </div>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => (
      <div className="grid justify-items-start gap-1 py-1">
        <DurableRunBadge run={row} />
        {row.last_error ? (
          <span className="line-clamp-2 max-w-80 break-words text-danger text-xs">{row.last_error}</span>
        ) : null}
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Started by',
    cell: (row) => <span className="whitespace-nowrap text-xs">{getTriggerEventLabel(row.event_name)}</span>,
  },
  {
    id: 'next',
    header: 'Next wake-up',
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.next_wake_at} seconds />
      </span>
    ),
  },
  {
    id: 'when',
    header: 'Created',
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.created_at} seconds />
      </span>
    ),
  },
];

const card = (run: EngineRun) => (
  <div className="grid gap-1.5">
    <div className="flex items-start justify-between gap-3">
      <span className="min-w-0 break-all font-mono text-xs">{run.function}</span>
      <DurableRunBadge run={run} />
    </div>
    {run.about ? <span className="line-clamp-2 break-all text-ink-soft text-xs">{run.about}</span> : null}
    {run.last_error ? <span className="line-clamp-2 break-words text-danger text-xs">{run.last_error}</span> : null}
    <span className="text-ink-soft text-sm">
      <DateTime value={run.created_at} seconds /> · by {getTriggerEventLabel(run.event_name)}
    </span>
  </div>
);

const FILTERS = ['status', 'function'] as const;

export function DurableRunList() {
  const me = useMe();
  return (
    <>
      <PageHeader
        title="Background work"
        description="Runs of the installation’s durable functions, for all teams. Finished runs are kept for 14 days."
      />
      {me.operator ? <Runs /> : <OperatorsOnly />}
    </>
  );
}

function Runs() {
  const trpc = useTRPC();
  const overview = useQuery(trpc.runs.overview.queryOptions(undefined, { refetchInterval: 5_000 }));
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const status = pickAllowedValue(DURABLE_RUN_STATES, values.status);
  const elsewhere = overview.data?.engine === 'server' ? overview.data : null;
  const runs = useQuery(
    trpc.runs.list.queryOptions(
      { limit: 25, status, function: values.function, ...buildListInputFromCursor(cursor) },
      { enabled: !elsewhere, placeholderData: keepPreviousData, refetchInterval: 5_000 },
    ),
  );
  const problem = overview.data?.problem ? (
    <Notice tone="danger" title="Background work has stopped">
      {overview.data.problem}
    </Notice>
  ) : null;
  if (elsewhere)
    return (
      <div className="grid gap-5">
        {problem}
        <RunsElsewhere url={elsewhere.server_url} />
      </div>
    );
  const failed = overview.data?.failed ?? 0;
  return (
    <div className="grid gap-5">
      {problem}
      {failed > 0 && status !== 'failed' ? (
        <Notice
          tone="danger"
          title={failed === 1 ? 'One run has failed' : `${failed >= 100 ? '100 or more' : failed} runs have failed`}
          actions={
            <Button variant="secondary" size="sm" onClick={() => set({ status: 'failed', function: undefined })}>
              Show them
            </Button>
          }
        >
          They used up their attempts and do nothing more until they are retried.
        </Notice>
      ) : null}
      <Card>
        <FilteredList
          list={list}
          noun={['run', 'runs']}
          filters={
            <>
              <SelectFilter
                label="State"
                any="Any state"
                value={values.status}
                options={DURABLE_RUN_STATE_OPTIONS}
                onChange={(next) => set({ status: next })}
              />
              <SelectFilter
                label="Function"
                any="Any function"
                className="sm:w-52!"
                value={values.function}
                options={(overview.data?.functions ?? []).map((name) => ({ value: name, label: name }))}
                onChange={(next) => set({ function: next })}
              />
            </>
          }
          query={runs}
          columns={columns}
          label="Runs"
          href={(run) => paths.run(run.id)}
          card={card}
          empty={
            <EmptyState icon={ListChecks} title="No runs yet">
              The first scheduled functions run within a minute after the start.
            </EmptyState>
          }
        />
      </Card>
    </div>
  );
}

const RunsElsewhere = ({ url }: { url: string | null }) => (
  <Card>
    <EmptyState
      icon={ServerCog}
      title="Background work runs on an Inngest server"
      action={
        url ? (
          <AnchorButton variant="secondary" href={url}>
            Open {url}
          </AnchorButton>
        ) : null
      }
    >
      This installation uses a separate Inngest server, which stores and shows the runs.
    </EmptyState>
  </Card>
);

const OperatorsOnly = () => (
  <Card>
    <EmptyState icon={ShieldAlert} title="Only operators of this installation can see this page">
      Operators are the accounts listed in OPERATOR_EMAILS. If it is not set and the database is embedded, they are the
      owners of the first team.
    </EmptyState>
  </Card>
);
