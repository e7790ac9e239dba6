'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';

/** Lists the assistants that members connected to the team in this mode. */
export function ConnectedAssistantsCard() {
  const t = useTranslations('assistants');
  const trpc = useTRPC();
  const connections = useQuery(trpc.assistants.list.queryOptions());
  const revoke = useMutation(trpc.assistants.revoke.mutationOptions());
  return (
    <Card>
      <CardHeader title={t('connected_assistants')} description={t('list_lead')} />
      {connections.error && !connections.data ? (
        <QueryErrorPanel title={t('could_not_be_loaded')} query={connections} />
      ) : null}
      {connections.data?.length === 0 ? <p className="px-5 py-4 text-ink-soft text-sm">{t('none')}</p> : null}
      <ul className="divide-y divide-line" aria-label={t('connected_assistants')}>
        {connections.data?.map(({ id, mode, client_name, place, person, scopes, connected_at }) => (
          <li key={id} className="flex items-center gap-3.5 px-5 py-3.5 text-sm">
            <Bot className="size-5 shrink-0 text-ink-soft" aria-hidden />
            <div className="min-w-0 flex-1">
              <p className="break-words font-medium">
                {client_name ?? t('no_name')} <span className="font-normal text-ink-soft">{place}</span>{' '}
                <Badge tone={mode === 'test' ? 'test' : 'danger'}>{t(`${mode}_data`)}</Badge>
              </p>
              <p className="text-ink-soft">
                {t.rich('connected_by', { person, time: () => <DateTime value={connected_at} /> })}
              </p>
              <p className="break-words font-mono text-ink-soft text-xs">{scopes.join(' ')}</p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              pending={revoke.isPending && revoke.variables?.id === id}
              onClick={() => revoke.mutate({ id })}
            >
              {t('disconnect')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
