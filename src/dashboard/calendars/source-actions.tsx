'use client';
import { MoreHorizontal, RefreshCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { paths } from '../paths';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { later } from '../ui/later';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { Dialog } from '../ui/overlay/dialog';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../ui/overlay/dropdown-menu';
import { toast } from '../ui/overlay/toaster';
import { type Source, useRemoveSource, useRunNow, useUpdateSource } from './queries';

// Each is loaded when somebody asks for it.
const DryRunDialog = later(() => import('./dry-run-dialog').then((file) => file.DryRunDialog));

/** What can be done with a source. */
export function SourceActions({ source }: { source: Source }) {
  const router = useRouter();
  const [open, setOpen] = useState<'link' | 'try' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const calendar = source.forwarding_address === null;
  const run = useRunNow(({ last_error }) => {
    if (last_error) toast.error(last_error);
    else toast.success('The calendar is in step.');
  });
  const update = useUpdateSource();
  const remove = useRemoveSource(() => {
    toast.success('The source is removed.');
    router.push(paths.calendars);
  });
  const cannotRun = !source.enabled
    ? 'The calendar is disabled. Enable it first.'
    : source.running && !run.isPending
      ? 'It is being synced right now.'
      : null;
  return (
    <>
      {calendar ? (
        <Button disabledReason={cannotRun} pending={run.isPending} onClick={() => run.mutate({ id: source.id })}>
          <RefreshCw aria-hidden />
          Sync now
        </Button>
      ) : null}
      {source.enabled ? null : (
        <Button
          variant="secondary"
          pending={update.isPending}
          onClick={() => update.mutate({ id: source.id, enabled: true })}
        >
          Enable
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label="More actions">
            <MoreHorizontal aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {calendar ? <MenuItem onSelect={() => setOpen('try')}>What would the next run do?</MenuItem> : null}
          {calendar ? <MenuItem onSelect={() => setOpen('link')}>Replace the link</MenuItem> : null}
          {source.enabled ? (
            <MenuItem onSelect={() => update.mutate({ id: source.id, enabled: false })}>Disable</MenuItem>
          ) : null}
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpen('remove')}>
            Remove
          </MenuItem>
        </MenuContent>
      </Menu>

      {open === 'try' ? <DryRunDialog source={source} onClose={close} /> : null}
      {open === 'link' ? <LinkDialog source={source} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={close}
        danger
        title={calendar ? 'Remove this calendar?' : 'Remove this forwarding address?'}
        confirmLabel="Remove"
        pending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate({ id: source.id })}
      >
        {calendar
          ? 'Its reservations stay as they are and are no longer kept in step. Connected again, the calendar takes them over.'
          : 'Mail to it is refused from then on, and mails that wait in its inbox are deleted. Its reservations stay.'}
      </ConfirmDialog>
    </>
  );
}

const FORM = 'calendar-link';

function LinkDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [url, setUrl] = useState('');
  const update = useUpdateSource({
    inForm: true,
    onDone: () => {
      toast.success('The link is replaced. The calendar is read within a minute.');
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Replace the calendar’s link"
      description="For the same listing: the channel has reset its link. Reservations stay as they are. Connect another listing as a calendar of its own."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} pending={update.isPending} disabled={url.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ id: source.id, feed_url: url.trim() });
        }}
      >
        <Field label="Calendar link" error={update.error ? readError(update.error).message : undefined}>
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://…/calendar.ics"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
