'use client';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { BulkAction } from '@/modules/reservations/bulk/actions.rules';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { useMe } from '../../shell/me';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { type PreviewRow, useActOnSeveral, usePreviewBulk } from './queries';
import { goesTo, WORDS } from './words';

interface BulkDialogProps {
  action: BulkAction;
  ids: readonly string[];
  onClose: () => void;
  /** All went well: nothing of it needs to stay chosen. */
  onDone: () => void;
}

/** Who gets what, then doing it, then what came of each where something went wrong. */
export default function BulkDialog({ action, ids, onClose, onDone }: BulkDialogProps) {
  const words = WORDS[action];
  const { mode, mail_is_sent } = useMe();
  const preview = usePreviewBulk();
  const { run, told } = useActOnSeveral();
  const asked = useRef(false);
  const { mutate } = preview;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate({ action, ids: [...ids] });
  }, [action, ids, mutate]);

  // Who came by a key goes on by Enter; not where something is taken away.
  const confirm = useRef<HTMLButtonElement>(null);
  const ready = preview.data !== undefined && action !== 'cancel';
  useEffect(() => {
    if (ready) confirm.current?.focus();
  }, [ready]);

  const rows = preview.data?.rows ?? [];
  const will = rows.filter((row) => row.outcome === 'will');
  const others = rows.filter((row) => row.outcome !== 'will');
  const done = told.filter(({ outcome }) => outcome === 'done').length;
  const failed = new Map(told.flatMap(({ id, outcome, message }) => (outcome === 'done' ? [] : [[id, message]])));
  const finished = run.isSuccess;
  const start = () =>
    run.mutate(
      { action, rows: will },
      {
        onSuccess: (all) => {
          const count = all.filter(({ outcome }) => outcome === 'done').length;
          if (count < will.length) return;
          toast.success(words.done(count));
          onDone();
        },
      },
    );
  const mailing =
    action === 'cancel'
      ? 'Your webhook endpoints hear of each.'
      : mode === 'test'
        ? 'In test mode mails are rendered and kept here; nobody receives one.'
        : mail_is_sent
          ? null
          : 'Mail is not set up here, so nobody is mailed: copy each link and give it to the guest yourself.';

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !run.isPending && onClose()}
      title={preview.data && !finished ? words.ask(will.length) : words.title}
      footer={
        finished ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose} disabled={run.isPending}>
              Keep as it is
            </Button>
            <Button
              variant={action === 'cancel' ? 'danger' : 'primary'}
              pending={run.isPending || preview.isPending}
              disabled={will.length === 0}
              ref={confirm}
              onClick={start}
            >
              {run.error ? 'Go on with the rest' : words.confirm(will.length)}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4 text-sm">
        <Refusal refused={preview.error ? readError(preview.error) : run.error ? readError(run.error) : null} />
        {preview.isPending || preview.isIdle ? <Skeleton className="h-24" /> : null}
        {mailing && preview.data ? <p className="text-ink-soft">{mailing}</p> : null}
        {run.isPending || told.length > 0 ? (
          <p role="status" className="font-medium">
            {told.length} of {will.length} looked at: {done} done
            {failed.size > 0 ? `, ${failed.size} not` : ''}
          </p>
        ) : null}
        {will.length > 0 && told.length === 0 ? (
          <Rows heading={words.will} label="Who gets what" rows={will} about={(row) => goesTo(action, row)} good />
        ) : null}
        {failed.size > 0 ? (
          <Rows
            heading="Not done:"
            label="Not done"
            rows={will.filter(({ id }) => failed.has(id))}
            about={({ id }) => failed.get(id)}
          />
        ) : null}
        {others.length > 0 && told.length === 0 ? (
          <Rows heading="Left as it is:" label="Left as it is" rows={others} about={({ message }) => message} />
        ) : null}
      </div>
    </Dialog>
  );
}

interface RowsProps {
  heading: string;
  label: string;
  rows: readonly PreviewRow[];
  about: (row: PreviewRow) => ReactNode;
  good?: boolean;
}

function Rows({ heading, label, rows, about, good }: RowsProps) {
  const Icon = good ? CircleCheck : CircleMinus;
  return (
    <div className="grid gap-2">
      <p className="text-ink-soft">{heading}</p>
      <ul aria-label={label} className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border">
        {rows.map((row) => (
          <li key={row.id} className="flex items-start gap-2.5 px-3 py-2">
            <Icon
              className={good ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-warning'}
              aria-hidden
            />
            <span className="min-w-0">
              <span className="break-words font-medium">{row.guest_name}</span>
              {row.property_name ? <span className="text-ink-soft"> · {row.property_name}</span> : null}
              <span className="block break-words text-ink-soft">{about(row)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
