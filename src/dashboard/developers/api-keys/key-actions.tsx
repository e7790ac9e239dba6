'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useTRPC } from '../../trpc';
import type { ApiKey } from '../../types';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { toast } from '../../ui/overlay/toaster';
import { useOwnersOnlyRefusalMessage } from '../owners-only';
import { SecretShownOnceDialog } from '../shown-once';
import { ApiKeyExampleRequest } from './try-key';

/**
 * The buttons to rotate or revoke a key, with the consequences. Renders nothing for an expired or
 * revoked key.
 */
export function ApiKeyActions({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations('api_keys');
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const ownersOnly = useOwnersOnlyRefusalMessage(t('to_rotate_or_revoke_keys'));
  const trpc = useTRPC();
  const rotate = useMutation(trpc.api_keys.rotate.mutationOptions());
  const close = () => setOpen(null);
  if (apiKey.state === 'expired' || apiKey.state === 'revoked') return null;
  const rotated = apiKey.state === 'deprecated' ? t('it_was_rotated_already') : null;
  return (
    <div className="flex gap-2">
      <Button variant="secondary" size="sm" disabledReason={ownersOnly ?? rotated} onClick={() => setOpen('rotate')}>
        {t('rotate')}
      </Button>
      <Button variant="secondary" size="sm" disabledReason={ownersOnly} onClick={() => setOpen('revoke')}>
        {t('revoke')}
      </Button>
      <ConfirmDialog
        open={open === 'rotate' && !rotate.data}
        onOpenChange={close}
        title={t('rotate_name', { name: apiKey.name })}
        confirmLabel={t('make_the_new_key')}
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id: apiKey.id }, { onError: close })}
      >
        {t('you_get_a_new_key_with_the')}
      </ConfirmDialog>
      {rotate.data ? (
        <SecretShownOnceDialog
          title={t('the_new_key_is_ready')}
          label={t('api_key')}
          secret={rotate.data.key}
          onClose={() => {
            rotate.reset();
            close();
          }}
        >
          <ApiKeyExampleRequest apiKey={rotate.data.key} />
        </SecretShownOnceDialog>
      ) : null}
      <RevokeApiKeyDialog apiKey={apiKey} open={open === 'revoke'} onClose={close} />
    </div>
  );
}

export function RevokeApiKeyDialog({ apiKey, open, onClose }: { apiKey: ApiKey; open: boolean; onClose: () => void }) {
  const t = useTranslations('api_keys');
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.api_keys.revoke.mutationOptions({
      onSuccess: () => {
        toast.success(t('name_is_revoked', { name: apiKey.name }));
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      danger
      title={t('revoke_name', { name: apiKey.name })}
      confirmLabel={t('revoke_the_key')}
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id: apiKey.id })}
    >
      {t.rich('from_the_next_request_on_everything', {
        code: () => <code className="font-mono text-xs">{apiKey.hint}</code>,
      })}
    </ConfirmDialog>
  );
}
