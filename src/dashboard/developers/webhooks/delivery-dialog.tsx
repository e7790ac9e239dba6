'use client';
import { RotateCw } from 'lucide-react';
import { paths } from '../../paths';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { ErrorPanel } from '../../ui/error-panel';
import { Link } from '../../ui/link';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { CodeBlock } from '../code-block';
import { OutcomeBadge } from './badges';
import { TRIGGERS } from './outcome';
import { type DeliveryDetail, useDelivery, useEndpoint, useRedeliver } from './queries';

interface DeliveryDialogProps {
  id: string;
  /** Goes to another attempt: the one a redelivery made. */
  onShow: (id: string) => void;
  onClose: () => void;
}

export function DeliveryDialog({ id, onShow, onClose }: DeliveryDialogProps) {
  const delivery = useDelivery(id);
  const redeliver = useRedeliver((queued) => {
    toast.success('The event is queued again.');
    onShow(queued.id);
  });
  const data = delivery.data;
  const name = useEndpoint(data?.endpoint_id).data?.description;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Delivery"
      description={data ? `${data.event_type}, to ${name ?? data.request.url}` : undefined}
      footer={
        data ? (
          <>
            <Button variant="secondary" onClick={onClose}>
              Close
            </Button>
            <Button
              pending={redeliver.isPending}
              onClick={() => redeliver.mutate({ id: data.endpoint_id, evt_id: data.event_id })}
            >
              <RotateCw aria-hidden />
              {data.status === 'pending' ? 'Send now' : 'Redeliver'}
            </Button>
          </>
        ) : null
      }
    >
      <DeliveryView id={id} />
    </Dialog>
  );
}

/** One attempt: what was sent and what came back. Follows it while it is under way. */
export function DeliveryView({ id }: { id: string }) {
  const delivery = useDelivery(id);
  if (delivery.data) return <Loaded delivery={delivery.data} />;
  if (!delivery.error) {
    return (
      <div className="grid gap-3">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-32" />
      </div>
    );
  }
  const { status, message, request_id } = readError(delivery.error);
  return (
    <ErrorPanel
      title={status === 404 ? 'There is no such delivery' : 'The delivery could not be loaded'}
      message={message}
      requestId={request_id}
      onRetry={status === 404 ? undefined : () => void delivery.refetch()}
    />
  );
}

function Loaded({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <div className="grid gap-5">
      <div aria-live="polite">
        <OutcomeBadge attempt={delivery} />
      </div>
      <Facts
        items={[
          {
            label: 'Event',
            value: (
              <Link
                className="break-all font-mono text-primary text-xs underline underline-offset-4"
                href={paths.event(delivery.event_id)}
              >
                {delivery.event_id}
              </Link>
            ),
          },
          { label: 'Attempt', value: `${delivery.attempt_number} (${TRIGGERS[delivery.trigger].toLowerCase()})` },
          delivery.status === 'pending'
            ? { label: 'Due', value: <DateTime value={delivery.due_at} seconds /> }
            : { label: 'Sent', value: <DateTime value={delivery.attempted_at} seconds /> },
          { label: 'Took', value: delivery.duration_ms === null ? '–' : `${delivery.duration_ms} ms` },
          ...(delivery.status === 'failed' && delivery.next_retry_at
            ? [{ label: 'Next attempt', value: <DateTime value={delivery.next_retry_at} seconds /> }]
            : []),
          { label: 'Delivery id', value: <CopyableId value={delivery.id} label="delivery id" /> },
        ]}
      />
      <section className="grid gap-3">
        <h3 className="font-semibold text-sm">Response</h3>
        <Response delivery={delivery} />
      </section>
      <section className="grid gap-3">
        <h3 className="font-semibold text-sm">Request</h3>
        <p className="break-all font-mono text-xs">POST {delivery.request.url}</p>
        <RequestHeaders headers={delivery.request.headers} />
        <CodeBlock label="Body" text={delivery.request.body} />
      </section>
    </div>
  );
}

function Response({ delivery }: { delivery: DeliveryDetail }) {
  if (delivery.status === 'pending')
    return <p className="text-ink-soft text-sm">It has not been sent yet, or no answer has come yet.</p>;
  return (
    <>
      {delivery.status_code === null ? null : <p className="font-mono text-xs">HTTP {delivery.status_code}</p>}
      {delivery.error_message ? <p className="text-danger text-sm">{delivery.error_message}</p> : null}
      {delivery.response_body_truncated ? (
        <CodeBlock label="Body, the first KiB" text={delivery.response_body_truncated} />
      ) : delivery.error_message ? null : (
        <p className="text-ink-soft text-sm">The answer had no body.</p>
      )}
    </>
  );
}

function RequestHeaders({ headers }: { headers: DeliveryDetail['request']['headers'] }) {
  return (
    <div className="grid gap-2">
      <dl className="grid gap-1.5 font-mono text-xs">
        {headers.map(({ name, value }) => (
          <div key={name} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-ink-soft text-xs leading-relaxed">
        And the signatures, <code className="font-mono">Service-Signature</code> and{' '}
        <code className="font-mono">webhook-signature</code>: made at the moment of sending, and not kept.
      </p>
    </div>
  );
}
