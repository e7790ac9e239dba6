'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PORTAL_DAYS } from '@/modules/webhooks/portal/portal-days.rules';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { CopyField } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { useOwnersOnly } from '../owners-only';

function usePortal(id: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.webhook_endpoints.portal.queryKey({ id }) });
  return {
    state: useQuery(trpc.webhook_endpoints.portal.queryOptions({ id })),
    share: useMutation(trpc.webhook_endpoints.share_portal.mutationOptions({ onSettled: refresh })),
    withdraw: useMutation(trpc.webhook_endpoints.withdraw_portal.mutationOptions({ onSettled: refresh })),
  };
}

/** A link to the endpoint's deliveries for the developer of what receives them. */
export function PortalCard({ id }: { id: string }) {
  const { state, share, withdraw } = usePortal(id);
  const [sharing, setSharing] = useState(false);
  const ownersOnly = useOwnersOnly('share deliveries');
  const expires_at = state.data?.expires_at ?? null;
  return (
    <Card>
      <CardHeader
        title="Share with the receiver’s developer"
        description="A page of these deliveries, with what was sent and answered, for somebody without an account."
        actions={
          <div className="flex flex-wrap gap-2">
            {expires_at ? (
              <Button
                variant="secondary"
                size="sm"
                disabledReason={ownersOnly}
                pending={withdraw.isPending}
                onClick={() => withdraw.mutate({ id })}
              >
                Withdraw the link
              </Button>
            ) : null}
            <Button variant="secondary" size="sm" disabledReason={ownersOnly} onClick={() => setSharing(true)}>
              {expires_at ? 'Make a new link' : 'Make a link'}
            </Button>
          </div>
        }
      />
      <CardBody className="text-sm">
        {expires_at ? (
          <p>
            A link works until <DateTime value={expires_at} />. A new one ends it.
          </p>
        ) : (
          <p className="text-ink-soft">There is no link.</p>
        )}
      </CardBody>
      {sharing ? (
        <ShareDialog
          id={id}
          share={share}
          onClose={() => {
            share.reset();
            setSharing(false);
          }}
        />
      ) : null}
    </Card>
  );
}

interface ShareDialogProps {
  id: string;
  share: ReturnType<typeof usePortal>['share'];
  onClose: () => void;
}

function ShareDialog({ id, share, onClose }: ShareDialogProps) {
  const [days, setDays] = useState<(typeof PORTAL_DAYS)[number]>(7);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={share.data ? 'The link is ready' : 'Share these deliveries'}
      description={
        share.data
          ? 'Give it to nobody else: it is shown this once.'
          : 'Whoever has the link sees what is sent to this endpoint, guests’ names and addresses included. It shows no secret and changes nothing.'
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {share.data ? 'Done' : 'Not now'}
          </Button>
          {share.data ? null : (
            <Button pending={share.isPending} onClick={() => share.mutate({ id, days })}>
              Make the link
            </Button>
          )}
        </>
      }
    >
      {share.data ? (
        <CopyField value={share.data.url} label="Link" />
      ) : (
        <Field label="It works for">
          {(control) => (
            <NativeSelect
              {...control}
              value={days}
              onChange={(event) => setDays(PORTAL_DAYS.find((one) => String(one) === event.target.value) ?? 7)}
            >
              {PORTAL_DAYS.map((one) => (
                <option key={one} value={one}>
                  {one === 1 ? 'a day' : `${one} days`}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
    </Dialog>
  );
}
