'use client';
/** What the next run of a calendar would do if it came now. */
import { useEffect } from 'react';
import { Notice } from '../developers/notice';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Dialog } from '../ui/overlay/dialog';
import { Skeleton } from '../ui/skeleton';
import { ChangeList } from './change-list';
import { type DryRun, type Source, useTryRun } from './queries';

export function DryRunDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const { mutate, data, error, isPending } = useTryRun();
  useEffect(() => mutate({ id: source.id }), [mutate, source.id]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="What would the next run do?"
      description="The calendar is read as it is now. Nothing is changed by looking."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button pending={isPending} onClick={() => mutate({ id: source.id })}>
            Look again
          </Button>
        </>
      }
    >
      <div aria-live="polite" aria-busy={isPending}>
        {isPending ? (
          <Skeleton className="h-24" />
        ) : error ? (
          <Notice tone="danger" title={readError(error).message} />
        ) : data ? (
          <Found found={data} enabled={source.enabled} />
        ) : null}
      </div>
    </Dialog>
  );
}

function Found({ found, enabled }: { found: DryRun; enabled: boolean }) {
  if (!found.ok) {
    return (
      <Notice tone="danger" title="This calendar cannot be read.">
        {found.message}
      </Notice>
    );
  }
  const { asks, note, changes, changes_total } = found;
  return (
    <div className="grid gap-3">
      {enabled ? null : <Notice tone="info" title="The calendar is disabled: no run comes before it is enabled." />}
      {asks ? <Notice tone="warning" title="It would change nothing, and ask you about this:" /> : null}
      {note ? <Notice tone="warning" title={note} /> : null}
      {changes_total > 0 ? (
        <div className="-mx-5">
          <ChangeList changes={changes} total={changes_total} />
        </div>
      ) : (
        <p className="text-ink-soft text-sm">Nothing: the reservations are as the calendar has them.</p>
      )}
    </div>
  );
}
