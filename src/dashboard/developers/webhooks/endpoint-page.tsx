'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl/react';
import { NotFoundOrErrorCard } from '../../not-found-or-error';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Card, CardBody, CardHeader, DescriptionList } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Switch } from '../../ui/form/switch';
import { retryImport } from '../../ui/lazy-component';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { useOwnersOnlyRefusalMessage } from '../owners-only';
import { EndpointBadge } from './badges';
import { EndpointActions } from './endpoint-actions';
import { EndpointNotices } from './endpoint-notices';
import { EndpointHealthChart } from './health-strip';
import { SharedDeliveriesLinkCard } from './portal-card';

const DeliveryLog = dynamic(() => retryImport(() => import('./delivery-log').then((file) => file.DeliveryLog)));

function useBack() {
  const t = useTranslations('webhooks');
  return { href: paths.webhooks, label: t('webhooks') };
}

export function EndpointPage({ id }: { id: string }) {
  const t = useTranslations('webhooks');
  const back = useBack();
  const trpc = useTRPC();
  const endpoint = useQuery(trpc.webhook_endpoints.retrieve.queryOptions({ id: id }, { refetchInterval: 5_000 }));
  if (endpoint.data) return <Loaded endpoint={endpoint.data} />;
  if (!endpoint.error) {
    return (
      <>
        <PageHeader back={back} title={null} />
        <Card className="grid gap-4 p-5">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-24" />
        </Card>
      </>
    );
  }
  return (
    <>
      <PageHeader back={back} title={t('webhook_endpoint')} />
      <NotFoundOrErrorCard
        error={endpoint.error}
        noun={t('endpoint_noun')}
        missing={t('it_was_deleted')}
        list={{ href: paths.webhooks, label: t('all_endpoints') }}
        onRetry={() => void endpoint.refetch()}
      />
    </>
  );
}

function Loaded({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  const back = useBack();
  return (
    <>
      <PageHeader
        back={back}
        title={endpoint.description ?? <span className="break-all font-mono text-lg">{endpoint.url}</span>}
        description={
          endpoint.description ? <span className="break-all font-mono text-xs">{endpoint.url}</span> : undefined
        }
        badge={<EndpointBadge endpoint={endpoint} />}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <div className="grid gap-5">
        <EndpointNotices endpoint={endpoint} />
        <div className="grid gap-5 lg:grid-cols-2">
          <Card>
            <CardHeader title={t('endpoint')} />
            <CardBody>
              <DescriptionList
                items={[
                  { label: t('id'), value: <CopyableId value={endpoint.id} /> },
                  {
                    label: t('signing_secret'),
                    value: <code className="font-mono text-xs">{`whsec_…${endpoint.signing_secret_last4}`}</code>,
                  },
                  ...(endpoint.header_names.length > 0
                    ? [{ label: t('own_headers'), value: endpoint.header_names.join(', ') }]
                    : []),
                  { label: t('hears_of'), value: <Subscribed events={endpoint.events} /> },
                  ...(endpoint.mode === 'live'
                    ? [{ label: t('daily_mail_of_failures'), value: <DigestSwitch endpoint={endpoint} /> }]
                    : []),
                  { label: t('waiting_to_be_sent'), value: endpoint.waiting },
                  { label: t('last_attempt'), value: <DateTime value={endpoint.last_delivery_at} /> },
                  { label: t('last_success'), value: <DateTime value={endpoint.last_success_at} /> },
                ]}
              />
            </CardBody>
          </Card>
          <EndpointHealthChart id={endpoint.id} />
        </div>
        <DeliveryLog endpoint={endpoint} />
        <SharedDeliveriesLinkCard id={endpoint.id} />
      </div>
    </>
  );
}

/** Sets whether the owners get a daily mail about failed deliveries of the endpoint. */
function DigestSwitch({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const change = useMutation(trpc.webhook_endpoints.switch_digest.mutationOptions());
  const ownersOnly = useOwnersOnlyRefusalMessage(t('switch_this_mail'));
  return (
    <Switch
      aria-label={t('daily_mail_of_failures')}
      checked={endpoint.digest}
      title={ownersOnly ?? undefined}
      disabled={ownersOnly !== null || change.isPending}
      onCheckedChange={(digest) => change.mutate({ id: endpoint.id, digest })}
    />
  );
}

function Subscribed({ events }: { events: readonly string[] }) {
  const t = useTranslations('webhooks');
  if (events.includes('*')) return t('all_events');
  return (
    <ul className="grid gap-0.5">
      {events.map((type) => (
        <li key={type} className="break-all font-mono text-xs">
          {type}
        </li>
      ))}
    </ul>
  );
}
