'use client';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ListCard } from '../../list-card';
import { useMe } from '../../shell/me';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { later } from '../../ui/later';
import { Tooltip } from '../../ui/overlay/tooltip';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { useOwnersOnly } from '../owners-only';
import { ReferenceLinks } from '../reference-links';
import { KeyActions, RevokeDialog } from './key-actions';
import { KeyState } from './key-state';
import { OldKeyCard } from './old-key-card';
import { type ApiKey, useApiKeys } from './queries';

// Each is loaded when somebody asks for it.
const CreateKeyDialog = later(() => import('./create-key-dialog').then((file) => file.CreateKeyDialog));

const columns: Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ row }) => (
      <div className="grid gap-0.5">
        <span className="max-w-60 truncate font-medium">{row.original.name}</span>
        <code className="whitespace-nowrap font-mono text-ink-soft text-xs">{row.original.hint}</code>
      </div>
    ),
  },
  { id: 'access', header: 'Access', cell: ({ row }) => <Access apiKey={row.original} /> },
  { id: 'state', header: 'State', cell: ({ row }) => <KeyState state={row.original.state} /> },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ row }) => (
      <div className="grid gap-0.5 whitespace-nowrap">
        <LastUsed apiKey={row.original} />
        <span className="text-ink-soft text-xs">
          Created <DateTime value={row.original.created_at} />
        </span>
      </div>
    ),
  },
  {
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    cell: ({ row }) => <KeyActions apiKey={row.original} />,
  },
];

const card = (apiKey: ApiKey) => (
  <div className="grid gap-2.5">
    <div className="flex items-start justify-between gap-3">
      <div className="grid min-w-0 gap-0.5">
        <span className="truncate font-medium">{apiKey.name}</span>
        <code className="break-all font-mono text-ink-soft text-xs">{apiKey.hint}</code>
      </div>
      <KeyState state={apiKey.state} />
    </div>
    <Access apiKey={apiKey} />
    <p className="text-ink-soft text-sm">
      Last used: <LastUsed apiKey={apiKey} />
      <br />
      Created: <DateTime value={apiKey.created_at} />
    </p>
    <KeyActions apiKey={apiKey} />
  </div>
);

const LastUsed = ({ apiKey }: { apiKey: ApiKey }) =>
  apiKey.last_used_at ? <DateTime value={apiKey.last_used_at} /> : <span className="text-ink-soft">Never</span>;

function Access({ apiKey }: { apiKey: ApiKey }) {
  return (
    <div className="flex max-w-60 flex-wrap gap-1">
      {apiKey.type === 'secret' ? <Badge>Secret: everything</Badge> : null}
      {apiKey.scopes.map((scope) => (
        <Badge key={scope} tone="info" className="font-mono">
          {scope}
        </Badge>
      ))}
      {apiKey.ip_allow.length > 0 ? (
        <Tooltip text={apiKey.ip_allow.join(', ')}>
          <button type="button" className="rounded-full">
            <Badge tone="violet">
              From {apiKey.ip_allow.length} {apiKey.ip_allow.length === 1 ? 'address range' : 'address ranges'}
            </Badge>
          </button>
        </Tooltip>
      ) : null}
    </div>
  );
}

const isOver = (key: ApiKey) => key.state === 'expired' || key.state === 'revoked';

export function ApiKeysPage() {
  const { mode } = useMe();
  const keys = useApiKeys();
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const [all, setAll] = useState(false);
  const ownersOnly = useOwnersOnly('create keys');
  const cannotRevoke = useOwnersOnly('revoke keys');
  const full =
    keys.data && keys.data.active >= keys.data.limit
      ? `${mode === 'live' ? 'Live' : 'Test'} mode has its ${keys.data.limit} keys. Revoke one first; the old key of a rotation does not count.`
      : null;
  const over = keys.data?.data.filter(isOver).length ?? 0;
  const rows = useMemo(() => keys.data?.data.filter((key) => all || !isOver(key)), [keys.data, all]);
  const deprecated = keys.data?.data.filter((key) => key.state === 'deprecated') ?? [];
  const create = (
    <Button disabledReason={ownersOnly ?? full} onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={`For your servers to call the API in ${mode} mode. Live and test keys are separate, at most ${keys.data?.limit ?? 3} of each.`}
        actions={
          <>
            <ReferenceLinks />
            {create}
          </>
        }
      />
      <div className="grid gap-5">
        {deprecated.map((key) => (
          <OldKeyCard key={key.id} apiKey={key} cannotRevoke={cannotRevoke} onRevoke={() => setEnding(key)} />
        ))}
        <ListCard
          query={keys}
          rows={rows}
          columns={columns}
          label="API keys"
          card={card}
          empty={
            <EmptyState icon={KeyRound} title={`No ${mode}-mode key works now`} action={create}>
              A key lets your server create reservations, send packets and read certificates. Start in test mode:
              nothing you do there reaches a guest.
            </EmptyState>
          }
        />
        {over > 0 ? (
          <Card className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-ink-soft text-sm">
            {over} {over === 1 ? 'key has' : 'keys have'} ended.
            <Button variant="secondary" size="sm" aria-pressed={all} onClick={() => setAll(!all)}>
              {all ? 'Hide ended keys' : 'Show ended keys'}
            </Button>
          </Card>
        ) : null}
      </div>
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      {ending ? <RevokeDialog apiKey={ending} open onClose={() => setEnding(null)} /> : null}
    </>
  );
}
