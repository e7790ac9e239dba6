'use client';
/**
 * Shows a cancellation or change from a mail that the channel signed. The host applies it with one
 * button and can undo it for a day.
 */
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { CalendarDayRange, DateTime } from '../ui/date-time';
import { Switch } from '../ui/form/switch';
import { toast } from '../ui/overlay/toaster';

type MailDetail = ProcedureOutputs['inbox']['retrieve'];

/**
 * Shows the change that the mail proposes, or the applied change while it can be undone. Renders
 * nothing for other mails.
 */
export function ProposedReservationChange({ mail: { id, proposal, undoable_until } }: { mail: MailDetail }) {
  const t = useTranslations('calendar_mail');
  const trpc = useTRPC();
  const apply = useMutation(
    trpc.inbox.apply_proven.mutationOptions({
      onSuccess: () => toast.success(t(proposal?.what === 'move' ? 'the_dates_are_changed' : 'it_is_cancelled')),
    }),
  );
  const undo = useMutation(
    trpc.inbox.undo_proven.mutationOptions({ onSuccess: () => toast.success(t('it_is_undone')) }),
  );
  if (proposal) {
    return (
      <Notice
        tone="info"
        title={
          proposal.what === 'move'
            ? t.rich('proven_move', {
                to: () => <CalendarDayRange from={proposal.checkin_date} to={proposal.checkout_date} />,
                was: () => <CalendarDayRange from={proposal.was.checkin_date} to={proposal.was.checkout_date} />,
              })
            : t('proven_cancel')
        }
        actions={
          <Button size="sm" pending={apply.isPending} onClick={() => apply.mutate({ id })}>
            {t(proposal.what === 'move' ? 'change_the_dates' : 'cancel_the_reservation')}
          </Button>
        }
      >
        {t('the_channel_signed_it')}
      </Notice>
    );
  }
  if (!undoable_until) return null;
  return (
    <Notice
      tone="info"
      title={t.rich('can_be_undone_until', { time: () => <DateTime value={undoable_until} /> })}
      actions={
        <Button variant="secondary" size="sm" pending={undo.isPending} onClick={() => undo.mutate({ id })}>
          {t('undo')}
        </Button>
      }
    />
  );
}

/** Sets whether verified mails to a forwarding address are applied without a click. */
export function AutoApplyForwardedMailsSwitch({ id: source_id, checked }: { id: string; checked: boolean }) {
  const t = useTranslations('calendar_mail');
  const trpc = useTRPC();
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 border-t pt-5">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          {t('apply_proven_mails')}
        </label>
        <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
          {t('apply_proven_mails_hint')}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={update.isPending}
        onCheckedChange={(apply_proven_mails) => update.mutate({ id: source_id, apply_proven_mails })}
      />
    </div>
  );
}
