'use client';
import { useMutation } from '@tanstack/react-query';
import { MoreHorizontal, RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { lazyComponent } from '../ui/lazy-component';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { Dialog } from '../ui/overlay/dialog';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../ui/overlay/dropdown-menu';
import { toast } from '../ui/overlay/toaster';
import { useReplaceCalendarLink } from './replace-link';

const DryRunDialog = lazyComponent(() => import('./dry-run-dialog').then((file) => file.CalendarDryRunDialog));

/** The buttons for a sync source. */
export function SyncSourceActions({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const router = useRouter();
  const [open, setOpen] = useState<'link' | 'try' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const calendar = source.forwarding_address === null;
  const trpc = useTRPC();
  const run = useMutation(
    trpc.sync_sources.run.mutationOptions({
      onSuccess: ({ last_error }) => {
        if (last_error) toast.error(last_error);
        else toast.success(t('the_calendar_is_in_step'));
      },
    }),
  );
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  const remove = useMutation(
    trpc.sync_sources.remove.mutationOptions({
      onSuccess: () => {
        toast.success(t('the_source_is_removed'));
        router.push(paths.calendars);
      },
    }),
  );
  const cannotRun = !source.enabled
    ? t('the_calendar_is_disabled_enable_it')
    : source.running && !run.isPending
      ? t('it_is_being_synced_right_now')
      : null;
  return (
    <>
      {calendar ? (
        <Button disabledReason={cannotRun} pending={run.isPending} onClick={() => run.mutate({ id: source.id })}>
          <RefreshCw aria-hidden />
          {t('sync_now')}
        </Button>
      ) : null}
      {source.enabled ? null : (
        <Button
          variant="secondary"
          pending={update.isPending}
          onClick={() => update.mutate({ id: source.id, enabled: true })}
        >
          {t('enable')}
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label={t('more_actions')}>
            <MoreHorizontal aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {calendar ? <MenuItem onSelect={() => setOpen('try')}>{t('what_would_the_next_run_do')}</MenuItem> : null}
          {calendar ? <MenuItem onSelect={() => setOpen('link')}>{t('replace_the_link')}</MenuItem> : null}
          {source.enabled ? (
            <MenuItem onSelect={() => update.mutate({ id: source.id, enabled: false })}>{t('disable')}</MenuItem>
          ) : null}
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpen('remove')}>
            {t('remove')}
          </MenuItem>
        </MenuContent>
      </Menu>

      {open === 'try' ? <DryRunDialog source={source} onClose={close} /> : null}
      {open === 'link' ? <LinkDialog source={source} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={close}
        danger
        title={t(calendar ? 'remove_this_calendar' : 'remove_this_forwarding_address')}
        confirmLabel={t('remove')}
        pending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate({ id: source.id })}
      >
        {t(calendar ? 'its_reservations_are_no_longer_kept_in_step' : 'mail_to_it_is_refused_from_then_on')}
      </ConfirmDialog>
    </>
  );
}

const FORM = 'calendar-link';

function LinkDialog({ source, onClose }: { source: SyncSource; onClose: () => void }) {
  const t = useTranslations('calendar_detail');
  const link = useReplaceCalendarLink(source, onClose);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('replace_the_calendars_link')}
      description={t('for_the_same_listing')}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={link.pending} disabled={link.empty}>
          {t('save')}
        </Button>
      }
    >
      <form id={FORM} noValidate onSubmit={link.submit}>
        {link.field}
      </form>
    </Dialog>
  );
}
