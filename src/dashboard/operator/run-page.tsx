'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { CodeBlock } from '../developers/code-block';
import { Notice } from '../developers/notice';
import { DetailPageSkeleton, NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { DurableRunDetail } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, DescriptionList } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { PageHeader } from '../ui/page-header';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table/table';
import { DurableRunBadge, DurableRunStepBadge, getTriggerEventLabel } from './run-badge';

const back = { href: paths.runs, label: 'Background work' };

export function DurableRunPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const run = useQuery(trpc.runs.retrieve.queryOptions({ id }, { refetchInterval: 5_000 }));
  if (run.data) return <Loaded run={run.data} />;
  return (
    <>
      <PageHeader back={back} title="Run" />
      {run.error ? (
        <NotFoundOrErrorCard
          error={run.error}
          noun="run"
          missing="Finished runs are kept for 14 days."
          list={{ href: paths.runs, label: 'All runs' }}
          onRetry={() => void run.refetch()}
        />
      ) : (
        <DetailPageSkeleton />
      )}
    </>
  );
}

function Loaded({ run }: { run: DurableRunDetail }) {
  const unfinished = run.status === 'queued' || run.status === 'running';
  return (
    <>
      <PageHeader
        back={back}
        title={<span className="break-all font-mono text-lg">{run.function}</span>}
        badge={<DurableRunBadge run={run} />}
        actions={run.status === 'failed' ? <Retry id={run.id} /> : unfinished ? <Cancel id={run.id} /> : null}
      />
      <div className="grid gap-5">
        {run.last_error ? (
          <Notice
            tone={run.status === 'failed' ? 'danger' : 'warning'}
            title={run.status === 'failed' ? 'All attempts failed' : 'The last attempt failed'}
          >
            {run.last_error}
          </Notice>
        ) : null}
        <Card>
          <CardHeader title="Run" />
          <CardBody>
            <DescriptionList
              items={[
                { label: 'Run ID', value: <CopyableId value={run.id} label="run ID" /> },
                { label: 'Started by', value: getTriggerEventLabel(run.event_name) },
                { label: 'Created', value: <DateTime value={run.created_at} seconds /> },
                { label: 'Started', value: <DateTime value={run.started_at} seconds /> },
                { label: 'Ended', value: <DateTime value={run.ended_at} seconds /> },
                { label: 'Next wake-up', value: <DateTime value={run.next_wake_at} seconds /> },
                { label: 'Failed attempts of the next step', value: run.attempt },
                { label: 'Running now', value: run.in_flight ? 'Yes' : 'No' },
              ]}
            />
          </CardBody>
        </Card>
        <Steps run={run} />
        <CodeBlock label="Event" text={run.event} />
        {run.output ? <CodeBlock label="Result" text={run.output} /> : null}
        {run.error_stack ? <CodeBlock label="Stack" text={run.error_stack} /> : null}
      </div>
    </>
  );
}

function Steps({ run }: { run: DurableRunDetail }) {
  return (
    <Card>
      <CardHeader title="Steps" description="A completed step is never repeated, not even by a retry." />
      {run.steps.length === 0 ? (
        <CardBody className="text-ink-soft text-sm">
          {run.status === 'completed' ? 'The function has no steps of its own.' : 'No step has started yet.'}
        </CardBody>
      ) : (
        <Table aria-label="Steps">
          <TableHead>
            <TableRow>
              <TableHeader>Step</TableHeader>
              <TableHeader>State</TableHeader>
              <TableHeader>Started</TableHeader>
              <TableHeader>Ended</TableHeader>
            </TableRow>
          </TableHead>
          <TableBody>
            {run.steps.map((step) => (
              <TableRow key={step.id}>
                <TableCell>
                  <div className="grid gap-0.5">
                    <span>{step.name}</span>
                    {step.error ? <span className="max-w-80 break-words text-danger text-xs">{step.error}</span> : null}
                  </div>
                </TableCell>
                <TableCell>
                  <DurableRunStepBadge status={step.status} />
                </TableCell>
                <TableCell className="whitespace-nowrap">
                  <DateTime value={step.created_at} seconds />
                </TableCell>
                <TableCell className="whitespace-nowrap">
                  <DateTime value={step.ended_at} seconds />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}

/** Returns the mutation that retries or cancels a run and shows the result. */
function useRunChange(what: 'retry' | 'cancel', done: string) {
  const trpc = useTRPC();
  return useMutation(
    trpc.runs[what].mutationOptions({
      onSuccess: ({ changed }) => {
        if (changed) toast.success(done);
        else toast.error('The run’s state has changed, so this is no longer possible.');
      },
      onError: (error) => {
        toast.error(toDisplayableError(error).message);
      },
    }),
  );
}

function Retry({ id }: { id: string }) {
  const retry = useRunChange('retry', 'The run continues.');
  return (
    <Button pending={retry.isPending} onClick={() => retry.mutate({ id })}>
      <RotateCcw aria-hidden />
      Retry
    </Button>
  );
}

function Cancel({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const cancel = useRunChange('cancel', 'The run was cancelled.');
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Cancel this run?"
        confirmLabel="Cancel run"
        danger
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ id }, { onSettled: () => setOpen(false) })}
      >
        Its remaining steps are not run. Work that is still due is picked up by the next scheduled run.
      </ConfirmDialog>
    </>
  );
}
