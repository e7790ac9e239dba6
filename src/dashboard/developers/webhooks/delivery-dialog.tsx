'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { WebhookDeliveryDetail } from '../../types';
import { Button } from '../../ui/button';
import { DescriptionList } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { ErrorPanel } from '../../ui/error-panel';
import { Link } from '../../ui/link';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { CodeBlock } from '../code-block';
import { DeliveryAttemptBadge } from './badges';

interface DeliveryDialogProps {
  id: string;
  /** Opens another attempt, for example the one that a redelivery created. */
  onShow: (id: string) => void;
  onClose: () => void;
}

export function DeliveryDialog({ id, onShow, onClose }: DeliveryDialogProps) {
  const t = useTranslations('webhooks');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.webhook_endpoints.retrieve_attempt.queryOptions(
      { id },
      { refetchInterval: (query) => (query.state.data?.status === 'pending' ? 1_500 : false) },
    ),
  );
  const redeliver = useMutation(
    trpc.webhook_endpoints.redeliver.mutationOptions({
      onSuccess: (queued) => {
        toast.success(t('the_event_is_queued_again'));
        onShow(queued.id);
      },
    }),
  );
  const data = delivery.data;
  const name = useQuery(
    trpc.webhook_endpoints.retrieve.queryOptions(
      { id: data?.endpoint_id ?? '' },
      { refetchInterval: 5_000, enabled: data?.endpoint_id !== undefined },
    ),
  ).data?.description;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('delivery')}
      description={
        data ? t('type_to_receiver', { type: data.event_type, receiver: name ?? data.request.url }) : undefined
      }
      footer={
        data ? (
          <>
            <Button variant="secondary" onClick={onClose}>
              {ui('close')}
            </Button>
            <Button
              pending={redeliver.isPending}
              onClick={() => redeliver.mutate({ id: data.endpoint_id, evt_id: data.event_id })}
            >
              <RotateCw aria-hidden />
              {data.status === 'pending' ? t('send_now') : t('redeliver')}
            </Button>
          </>
        ) : null
      }
    >
      <DeliveryAttemptDetails id={id} />
    </Dialog>
  );
}

/** Shows one attempt with its request and response. Refreshes while the attempt is in progress. */
export function DeliveryAttemptDetails({ id }: { id: string }) {
  const t = useTranslations('webhooks');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.webhook_endpoints.retrieve_attempt.queryOptions(
      { id },
      { refetchInterval: (query) => (query.state.data?.status === 'pending' ? 1_500 : false) },
    ),
  );
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
  const { status, message, request_id } = toDisplayableError(delivery.error);
  return (
    <ErrorPanel
      title={ui(status === 404 ? 'there_is_no_such_noun' : 'the_noun_could_not_be_loaded', {
        noun: t('delivery_noun'),
      })}
      message={message}
      requestId={request_id}
      onRetry={status === 404 ? undefined : () => void delivery.refetch()}
    />
  );
}

function Loaded({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useTranslations('webhooks');
  return (
    <div className="grid gap-5">
      <div aria-live="polite">
        <DeliveryAttemptBadge attempt={delivery} />
      </div>
      <DescriptionList
        items={[
          {
            label: t('event'),
            value: (
              <Link
                className="break-all font-mono text-primary text-xs underline underline-offset-4"
                href={paths.event(delivery.event_id)}
              >
                {delivery.event_id}
              </Link>
            ),
          },
          { label: t('attempt'), value: `${delivery.attempt_number} (${t(`trigger_${delivery.trigger}`)})` },
          delivery.status === 'pending'
            ? { label: t('due'), value: <DateTime value={delivery.due_at} seconds /> }
            : { label: t('sent'), value: <DateTime value={delivery.attempted_at} seconds /> },
          { label: t('took'), value: delivery.duration_ms === null ? '–' : `${delivery.duration_ms} ms` },
          ...(delivery.status === 'failed' && delivery.next_retry_at
            ? [{ label: t('next_attempt'), value: <DateTime value={delivery.next_retry_at} seconds /> }]
            : []),
          { label: t('delivery_id'), value: <CopyableId value={delivery.id} label={t('delivery_id_noun')} /> },
        ]}
      />
      <section className="grid gap-3">
        <h3 className="font-semibold text-sm">{t('response')}</h3>
        <Response delivery={delivery} />
      </section>
      <section className="grid gap-3">
        <h3 className="font-semibold text-sm">{t('request')}</h3>
        <p className="break-all font-mono text-xs">{`POST ${delivery.request.url}`}</p>
        <RequestHeaders headers={delivery.request.headers} />
        <CodeBlock label={t('body')} text={delivery.request.body} />
      </section>
    </div>
  );
}

function Response({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useTranslations('webhooks');
  if (delivery.status === 'pending') return <p className="text-ink-soft text-sm">{t('it_has_not_been_sent_yet')}</p>;
  return (
    <>
      {delivery.status_code === null ? null : <p className="font-mono text-xs">{`HTTP ${delivery.status_code}`}</p>}
      {delivery.error_message ? <p className="text-danger text-sm">{delivery.error_message}</p> : null}
      {delivery.response_body_truncated ? (
        <CodeBlock label={t('body_first_kib')} text={delivery.response_body_truncated} />
      ) : delivery.error_message ? null : (
        <p className="text-ink-soft text-sm">{t('the_answer_had_no_body')}</p>
      )}
    </>
  );
}

function RequestHeaders({ headers }: { headers: WebhookDeliveryDetail['request']['headers'] }) {
  const t = useTranslations('webhooks');
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
        {t.rich('and_the_signatures', { code: (name) => <code className="font-mono">{name}</code> })}
      </p>
    </div>
  );
}
