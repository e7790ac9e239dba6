'use client';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { ListCard } from '../../list-card';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { ApiKey } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { lazyComponent } from '../../ui/lazy-component';
import { Tooltip } from '../../ui/overlay/tooltip';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { useOwnersOnlyRefusalMessage } from '../owners-only';
import { ApiReferenceLink } from '../reference-links';
import { ApiKeyActions, RevokeApiKeyDialog } from './key-actions';
import { ApiKeyStateBadge } from './key-state';
import { OldApiKeyAfterRotationCard } from './old-key-card';

const CreateKeyDialog = lazyComponent(() => import('./create-key-dialog').then((file) => file.CreateApiKeyDialog));

const columnsOf = (t: NamespaceTranslator<'api_keys'>): Column<ApiKey>[] => [
  {
    id: 'name',
    header: t('name'),
    cell: (row) => (
      <div className="grid gap-0.5">
        <span className="max-w-60 truncate font-medium">{row.name}</span>
        <code className="whitespace-nowrap font-mono text-ink-soft text-xs">{row.hint}</code>
      </div>
    ),
  },
  { id: 'access', header: t('access'), cell: (row) => <Access apiKey={row} /> },
  { id: 'state', header: t('state'), cell: (row) => <ApiKeyStateBadge state={row.state} /> },
  {
    id: 'used',
    header: t('last_used'),
    cell: (row) => (
      <div className="grid gap-0.5 whitespace-nowrap">
        <LastUsed apiKey={row} />
        <span className="text-ink-soft text-xs">
          {t.rich('created_on', { time: () => <DateTime value={row.created_at} /> })}
        </span>
      </div>
    ),
  },
  {
    id: 'actions',
    header: <span className="sr-only">{t('actions')}</span>,
    cell: (row) => <ApiKeyActions apiKey={row} />,
  },
];

function KeyCard({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('api_keys');
  return (
    <div className="grid gap-2.5">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-0.5">
          <span className="truncate font-medium">{apiKey.name}</span>
          <code className="break-all font-mono text-ink-soft text-xs">{apiKey.hint}</code>
        </div>
        <ApiKeyStateBadge state={apiKey.state} />
      </div>
      <Access apiKey={apiKey} />
      <p className="text-ink-soft text-sm">
        {t.rich('last_used_when', { when: () => <LastUsed apiKey={apiKey} /> })}
        <br />
        {t.rich('created_when', { when: () => <DateTime value={apiKey.created_at} /> })}
      </p>
      <ApiKeyActions apiKey={apiKey} />
    </div>
  );
}

function LastUsed({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('api_keys');
  if (apiKey.last_used_at) return <DateTime value={apiKey.last_used_at} />;
  return <span className="text-ink-soft">{t('never')}</span>;
}

function Access({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('api_keys');
  return (
    <div className="flex max-w-60 flex-wrap gap-1">
      {apiKey.type === 'secret' ? <Badge>{t('secret_everything')}</Badge> : null}
      {apiKey.scopes.map((scope) => (
        <Badge key={scope} tone="info" className="font-mono">
          {scope}
        </Badge>
      ))}
      {apiKey.ip_allow.length > 0 ? (
        <Tooltip text={apiKey.ip_allow.join(', ')}>
          <button type="button" className="rounded-full">
            <Badge tone="violet">{t('from_ranges', { count: apiKey.ip_allow.length })}</Badge>
          </button>
        </Tooltip>
      ) : null}
    </div>
  );
}

const isOver = (key: ApiKey) => key.state === 'expired' || key.state === 'revoked';

export function ApiKeysPage() {
  const t = useTranslations('api_keys');
  const columns = useMemo(() => columnsOf(t), [t]);
  const { mode } = useMe();
  const trpc = useTRPC();
  const keys = useQuery(trpc.api_keys.list.queryOptions(undefined, { refetchInterval: 15_000 }));
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const [all, setAll] = useState(false);
  const ownersOnly = useOwnersOnlyRefusalMessage(t('to_create_keys'));
  const cannotRevoke = useOwnersOnlyRefusalMessage(t('to_revoke_keys'));
  const full = keys.data && keys.data.active >= keys.data.limit ? t(`full_${mode}`, { limit: keys.data.limit }) : null;
  const over = keys.data?.data.filter(isOver).length ?? 0;
  const rows = useMemo(() => keys.data?.data.filter((key) => all || !isOver(key)), [keys.data, all]);
  const deprecated = keys.data?.data.filter((key) => key.state === 'deprecated') ?? [];
  const create = (
    <Button disabledReason={ownersOnly ?? full} onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t('create_a_key')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('api_keys')}
        description={t(`for_your_servers_${mode}`, { limit: keys.data?.limit ?? 3 })}
        actions={
          <>
            <ApiReferenceLink />
            {create}
          </>
        }
      />
      <div className="grid gap-5">
        {deprecated.map((key) => (
          <OldApiKeyAfterRotationCard
            key={key.id}
            apiKey={key}
            cannotRevoke={cannotRevoke}
            onRevoke={() => setEnding(key)}
          />
        ))}
        <ListCard
          query={keys}
          rows={rows}
          columns={columns}
          label={t('api_keys')}
          card={(apiKey) => <KeyCard apiKey={apiKey} />}
          empty={
            <EmptyState icon={KeyRound} title={t(`no_key_works_${mode}`)} action={create}>
              {t('a_key_lets_your_server_create_reservations')}
            </EmptyState>
          }
        />
        {over > 0 ? (
          <Card className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-ink-soft text-sm">
            {t('keys_have_ended', { count: over })}
            <Button variant="secondary" size="sm" aria-pressed={all} onClick={() => setAll(!all)}>
              {all ? t('hide_ended_keys') : t('show_ended_keys')}
            </Button>
          </Card>
        ) : null}
      </div>
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      {ending ? <RevokeApiKeyDialog apiKey={ending} open onClose={() => setEnding(null)} /> : null}
    </>
  );
}
