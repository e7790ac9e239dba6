'use client';
import { useQuery } from '@tanstack/react-query';
import { Bot, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useTRPC } from '../trpc';
import { Card, CardBody } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { AssistantConsentPrompt } from './assistant-question';

/**
 * The consent page: shows which assistant requests access, and lets the member choose what it may
 * do.
 */
export function ConnectAssistantPage({ oauth_query }: { oauth_query: string }) {
  const t = useTranslations('assistants');
  const trpc = useTRPC();
  const [connected, setConnected] = useState(false);
  const asked = new URLSearchParams(oauth_query);
  const client_id = asked.get('client_id') ?? '';
  const signed = asked.has('sig') && asked.has('redirect_uri') && client_id !== '';
  const client = useQuery(trpc.assistants.client.queryOptions({ client_id }, { enabled: signed, retry: false }));
  return (
    <div className="mx-auto max-w-xl">
      <PageHeader title={t('title')} description={t('lead')} />
      <Card>
        {connected ? (
          <EmptyState icon={CircleCheck} title={t('connected')}>
            {t('connected_detail')}
          </EmptyState>
        ) : !signed || client.error ? (
          <EmptyState icon={Bot} title={t('invalid')}>
            {t('invalid_detail')}
          </EmptyState>
        ) : client.data ? (
          <AssistantConsentPrompt
            client={client.data}
            oauth_query={oauth_query}
            onConnected={() => setConnected(true)}
          />
        ) : (
          <CardBody>
            <Skeleton className="h-40 w-full" />
          </CardBody>
        )}
      </Card>
    </div>
  );
}
