'use client';
import QRCode from 'qrcode';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { authPost } from '../accounts/auth-client';
import { useSubmit } from '../accounts/use-submit';
import { Button } from '../ui/button';
import { CopyButton, CopyField } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';
import { PasswordDialog } from './password-dialog';

interface Secret {
  totpURI: string;
  backupCodes: string[];
}

/** Password, then the secret as a QR code and a first code of it, then the recovery codes. On only after the first code. */
export function TwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  if (!secret) {
    return (
      <PasswordDialog
        title="Turn two-factor on"
        description="You need an authenticator app on your phone."
        action="Continue"
        onClose={onClose}
        work={async (password) => setSecret(await authPost<Secret>('/two-factor/enable', { password }))}
      />
    );
  }
  return confirmed ? (
    <RecoveryCodes codes={secret.backupCodes} onClose={onClose} />
  ) : (
    <ScanAndConfirm uri={secret.totpURI} onClose={onClose} onConfirmed={() => setConfirmed(true)} />
  );
}

function ScanAndConfirm({ uri, onClose, onConfirmed }: { uri: string; onClose: () => void; onConfirmed: () => void }) {
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    void QRCode.toDataURL(uri, { margin: 1, width: 352 }).then(setImage);
  }, [uri]);
  const form = useForm<{ code: string }>({ defaultValues: { code: '' } });
  const { submit, pending, error } = useSubmit(async ({ code }: { code: string }) => {
    await authPost('/two-factor/verify-totp', { code: code.replace(/\s/g, '') });
    onConfirmed();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Scan and confirm"
      description="Scan the picture with the app, then enter the six digits it shows."
      footer={
        <Button type="submit" form="first-code" pending={pending}>
          Turn it on
        </Button>
      }
    >
      <form id="first-code" className="grid gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
        <div className="mx-auto size-44 overflow-hidden rounded-lg border bg-white">
          {/* biome-ignore lint/performance/noImgElement: a data URL made here; there is nothing to optimise. */}
          {image ? <img src={image} alt="QR code for the authenticator app" className="size-full" /> : null}
        </div>
        <div className="grid gap-1.5">
          <p className="text-ink-soft text-xs">Or type this key into the app:</p>
          <CopyField value={new URL(uri).searchParams.get('secret') ?? ''} label="key" />
        </div>
        <Field label="Code" error={form.formState.errors.code?.message ?? error}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="one-time-code"
              {...form.register('code', { required: 'Enter the six digits.' })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Two-factor is on"
      description="Keep these recovery codes where you would look without your phone. Each opens your account once. They are not shown again."
      footer={<Button onClick={onClose}>I have kept them</Button>}
    >
      <div className="relative rounded-md border bg-muted/60 p-4">
        <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton value={codes.join('\n')} label="recovery codes" className="absolute! top-2 right-2" />
      </div>
    </Dialog>
  );
}
