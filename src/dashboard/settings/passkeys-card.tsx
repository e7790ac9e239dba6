'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, MoreHorizontal } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';
import { supportsPasskeys } from '../accounts/passkey-client';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import type { Passkey } from '../types';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { lazyComponent } from '../ui/lazy-component';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../ui/overlay/dropdown-menu';
import { Skeleton } from '../ui/skeleton';

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

const never = () => () => {};

/**
 * Returns whether this browser supports passkeys. The server assumes support, because nearly all
 * browsers have it.
 */
const useKnowsPasskeys = () => useSyncExternalStore(never, supportsPasskeys, () => true);

const PasskeyDialog = lazyComponent(() => import('./passkey-dialog').then((file) => file.PasskeyDialog));

/** Lists the user's passkeys, and adds, renames and removes them. */
export function PasskeysCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const client = useQueryClient();
  const security = useQuery(trpc.accounts.security.queryOptions());
  const [open, setOpen] = useState<Open | null>(null);
  const known = useKnowsPasskeys();
  const passkeys = security.data?.passkeys;
  return (
    <Card>
      <CardHeader
        title={t('passkeys')}
        description={t('passkeys_lead')}
        actions={
          <Button
            variant="secondary"
            disabledReason={known ? null : t('passkeys_not_here')}
            onClick={() => setOpen({ kind: 'add' })}
          >
            <KeyRound aria-hidden />
            {t('passkey_add')}
          </Button>
        }
      />
      {security.error && !passkeys ? <QueryErrorPanel title={t('passkeys_not_loaded')} query={security} /> : null}
      <ul className="divide-y divide-line" aria-label={t('passkeys')}>
        {security.isPending ? (
          <li className="px-5 py-4">
            <Skeleton className="h-9 w-1/2" />
          </li>
        ) : null}
        {passkeys?.length === 0 ? <li className="px-5 py-4 text-ink-soft text-sm">{t('passkey_none')}</li> : null}
        {passkeys?.map((passkey) => (
          <li key={passkey.id} className="flex items-center gap-3 px-5 py-3.5 text-sm">
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere font-medium">{passkey.name}</p>
              {passkey.created_at ? (
                <p className="text-ink-soft">
                  {t.rich('since', { time: () => <DateTime value={passkey.created_at ?? ''} /> })}
                </p>
              ) : null}
            </div>
            <Menu>
              <MenuTrigger asChild>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t('actions_for_member', { member: passkey.name ?? '' })}
                >
                  <MoreHorizontal aria-hidden />
                </Button>
              </MenuTrigger>
              <MenuContent align="end">
                <MenuItem onSelect={() => setOpen({ kind: 'rename', passkey })}>{t('passkey_rename')}</MenuItem>
                <MenuItem danger onSelect={() => setOpen({ kind: 'remove', passkey })}>
                  {t('passkey_remove')}
                </MenuItem>
              </MenuContent>
            </Menu>
          </li>
        ))}
      </ul>
      {open ? (
        <PasskeyDialog
          {...open}
          proof={security.data?.proof ?? 'password'}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            void client.invalidateQueries(trpc.accounts.security.queryFilter());
          }}
        />
      ) : null}
    </Card>
  );
}
