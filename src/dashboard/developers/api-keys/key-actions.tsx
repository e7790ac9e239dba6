'use client';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { toast } from '../../ui/overlay/toaster';
import { useOwnersOnly } from '../owners-only';
import { ShownOnce } from '../shown-once';
import { type ApiKey, useRevokeKey, useRotateKey } from './queries';
import { TryKey } from './try-key';

/** Rotate and revoke, with what they entail. Nothing for a key that has ended. */
export function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null);
  const ownersOnly = useOwnersOnly('rotate or revoke keys');
  const rotate = useRotateKey();
  const close = () => setOpen(null);
  if (apiKey.state === 'expired' || apiKey.state === 'revoked') return null;
  const rotated = apiKey.state === 'deprecated' ? 'It was rotated already.' : null;
  return (
    <div className="flex gap-2">
      <Button variant="secondary" size="sm" disabledReason={ownersOnly ?? rotated} onClick={() => setOpen('rotate')}>
        Rotate
      </Button>
      <Button variant="secondary" size="sm" disabledReason={ownersOnly} onClick={() => setOpen('revoke')}>
        Revoke
      </Button>
      <ConfirmDialog
        open={open === 'rotate' && !rotate.data}
        onOpenChange={close}
        title={`Rotate “${apiKey.name}”?`}
        confirmLabel="Make the new key"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id: apiKey.id }, { onError: close })}
      >
        You get a new key with the same name, scopes and addresses. The old one works for 24 hours more, so that you can
        move everything that calls with it; this page shows what still does.
      </ConfirmDialog>
      {rotate.data ? (
        <ShownOnce
          title="The new key is ready"
          label="API key"
          secret={rotate.data.key}
          onClose={() => {
            rotate.reset();
            close();
          }}
        >
          <TryKey apiKey={rotate.data.key} />
        </ShownOnce>
      ) : null}
      <RevokeDialog apiKey={apiKey} open={open === 'revoke'} onClose={close} />
    </div>
  );
}

export function RevokeDialog({ apiKey, open, onClose }: { apiKey: ApiKey; open: boolean; onClose: () => void }) {
  const revoke = useRevokeKey(() => {
    toast.success(`“${apiKey.name}” is revoked.`);
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      danger
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke the key"
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id: apiKey.id })}
    >
      From the next request on, everything that calls with <code className="font-mono text-xs">{apiKey.hint}</code> gets
      a 401. It cannot be undone. To replace it without an interruption, rotate it instead.
    </ConfirmDialog>
  );
}
