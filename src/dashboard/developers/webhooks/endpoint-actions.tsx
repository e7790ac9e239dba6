'use client';
import { MoreHorizontal, Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { later } from '../../ui/later';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../ui/overlay/dropdown-menu';
import { toast } from '../../ui/overlay/toaster';
import { ShownOnce } from '../shown-once';
import { type Endpoint, useDeleteEndpoint, useRotateSecret, useUpdateEndpoint } from './queries';

// Each is loaded when somebody asks for it.
const EditEndpointDialog = later(() => import('./endpoint-form').then((file) => file.EditEndpointDialog));
const TestEventDialog = later(() => import('./test-event-dialog').then((file) => file.TestEventDialog));

/** What can be done with an endpoint. Re-enabling after failures is in its notice, with the reason. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const router = useRouter();
  const [open, setOpen] = useState<'test' | 'edit' | 'rotate' | 'disable' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const update = useUpdateEndpoint({ onDone: close });
  const rotate = useRotateSecret();
  const remove = useDeleteEndpoint(() => {
    toast.success('The endpoint is deleted.');
    router.push(paths.webhooks);
  });
  const setStatus = (status: 'enabled' | 'disabled') => update.mutate({ id: endpoint.id, status });
  const cannotTest = endpoint.status === 'enabled' ? null : 'The endpoint is disabled. Enable it first.';
  return (
    <>
      <Button disabledReason={cannotTest} onClick={() => setOpen('test')}>
        <Send aria-hidden />
        Send a test event
      </Button>
      <Button variant="secondary" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {endpoint.status === 'disabled' ? (
        <Button variant="secondary" pending={update.isPending} onClick={() => setStatus('enabled')}>
          Enable
        </Button>
      ) : null}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label="More actions">
            <MoreHorizontal aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem onSelect={() => setOpen('rotate')}>Rotate the signing secret</MenuItem>
          {endpoint.status === 'enabled' ? <MenuItem onSelect={() => setOpen('disable')}>Disable</MenuItem> : null}
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpen('delete')}>
            Delete
          </MenuItem>
        </MenuContent>
      </Menu>

      {open === 'test' ? <TestEventDialog endpoint={endpoint} onClose={close} /> : null}
      {open === 'edit' ? <EditEndpointDialog endpoint={endpoint} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'rotate' && !rotate.data}
        onOpenChange={close}
        title="Rotate the signing secret?"
        confirmLabel="Make the new secret"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id: endpoint.id }, { onError: close })}
      >
        You get a new secret. For 24 hours deliveries carry two signatures, by the old and the new secret, so that your
        receiver accepts them before and after you change it. Then only the new one signs.
      </ConfirmDialog>
      {rotate.data ? (
        <ShownOnce
          title="The new signing secret is ready"
          label="signing secret"
          secret={rotate.data.signing_secret}
          onClose={() => {
            rotate.reset();
            close();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'disable'}
        onOpenChange={close}
        title="Disable this endpoint?"
        confirmLabel="Disable"
        pending={update.isPending}
        onConfirm={() => setStatus('disabled')}
      >
        Nothing is sent to it until you enable it again. What waits then waits on; events that occur meanwhile are
        recorded and can be sent again.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        danger
        title="Delete this endpoint?"
        confirmLabel="Delete the endpoint"
        pending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate({ id: endpoint.id })}
      >
        Its deliveries and their log go with it, also those that wait. The events themselves stay.
      </ConfirmDialog>
    </>
  );
}
