'use client';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import type { BulkAction } from '@/modules/reservations/bulk/bulk-limits.rules';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { BulkActionPreviewRow } from '../../types';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { useBatchedReservationAction } from './use-act-on-several';
import { describeBulkActionEffect } from './words';

interface BulkDialogProps {
  action: BulkAction;
  ids: readonly string[];
  onClose: () => void;
  /** Called when every change succeeded, so that the caller can deselect the reservations. */
  onDone: () => void;
}

/** Previews a bulk action, runs it, and then lists the failures. */
export default function BulkDialog({ action, ids, onClose, onDone }: BulkDialogProps) {
  const t = useTranslations('reservations');
  const locale = useLocale();
  const { mode, mail_is_sent } = useMe();
  const trpc = useTRPC();
  const preview = useMutation(trpc.reservations.preview_bulk.mutationOptions({ meta: { handlesError: true } }));
  const { run, told } = useBatchedReservationAction();
  const asked = useRef(false);
  const { mutate } = preview;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate({ action, ids: [...ids] });
  }, [action, ids, mutate]);

  // The confirm button gets the focus, so that Enter confirms. Destructive actions are an
  // exception.
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
  // The action is complete, or it applies to no reservation.
  const over = run.isSuccess || (preview.data !== undefined && will.length === 0);
  const start = () =>
    run.mutate(
      { action, rows: will },
      {
        onSuccess: (all) => {
          const count = all.filter(({ outcome }) => outcome === 'done').length;
          if (count < will.length) return;
          toast.success(t(`bulk_done_${action}`, { count }));
          onDone();
        },
      },
    );
  const mailing =
    action === 'cancel'
      ? t('your_webhook_endpoints_hear_of_each')
      : mode === 'test'
        ? t('in_test_mode_mails_are_rendered_and')
        : mail_is_sent
          ? null
          : t('mail_is_not_set_up_here_so');

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !run.isPending && onClose()}
      title={preview.data && !over ? t(`bulk_ask_${action}`, { count: will.length }) : t(`bulk_title_${action}`)}
      footer={
        over ? (
          <Button onClick={onClose}>{t('close')}</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose} disabled={run.isPending}>
              {t(action === 'cancel' ? 'keep_the_reservations' : 'keep_as_it_is')}
            </Button>
            <Button
              variant={action === 'cancel' ? 'danger' : 'primary'}
              pending={run.isPending || preview.isPending}
              disabled={will.length === 0}
              ref={confirm}
              onClick={start}
            >
              {run.error
                ? t('go_on_with_the_rest')
                : preview.data
                  ? t(`bulk_confirm_${action}`, { count: will.length })
                  : t(`bulk_title_${action}`)}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4 text-sm">
        <FormErrorMessage
          refused={preview.error ? toDisplayableError(preview.error) : run.error ? toDisplayableError(run.error) : null}
        />
        {preview.isPending || preview.isIdle ? <Skeleton className="h-24" /> : null}
        {mailing && preview.data ? <p className="text-ink-soft">{mailing}</p> : null}
        {run.isPending || told.length > 0 ? (
          <p role="status" className="font-medium">
            {t(failed.size > 0 ? 'looked_at_some_not' : 'looked_at', {
              ...{ count: told.length, all: will.length, done, failed: failed.size },
            })}
          </p>
        ) : null}
        {will.length > 0 && told.length === 0 ? (
          <Rows
            heading={t(`bulk_will_${action}`)}
            label={t('who_gets_what')}
            rows={will}
            about={(row) => describeBulkActionEffect(action, row, t, locale)}
            good
          />
        ) : null}
        {failed.size > 0 ? (
          <Rows
            heading={t('heading_not_done')}
            label={t('not_done')}
            rows={will.filter(({ id }) => failed.has(id))}
            about={({ id }) => failed.get(id)}
          />
        ) : null}
        {others.length > 0 && told.length === 0 ? (
          <Rows heading={t('heading_left')} label={t('left_as_it_is')} rows={others} about={({ message }) => message} />
        ) : null}
      </div>
    </Dialog>
  );
}

interface RowsProps {
  heading: string;
  label: string;
  rows: readonly BulkActionPreviewRow[];
  about: (row: BulkActionPreviewRow) => ReactNode;
  good?: boolean;
}

function Rows({ heading, label, rows, about, good }: RowsProps) {
  const Icon = good ? CircleCheck : CircleMinus;
  return (
    <div className="grid gap-2">
      <p className="text-ink-soft">{heading}</p>
      <ul aria-label={label} className="max-h-[17.25rem] divide-y divide-line overflow-y-auto rounded-lg border">
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
