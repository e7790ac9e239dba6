'use client';
import QRCode from 'qrcode';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { postAuthRequest } from '../accounts/auth-client';
import { useFormSubmit } from '../accounts/use-submit';
import { Button } from '../ui/button';
import { CopyButton, CopyField } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';
import { PasswordConfirmationDialog } from './password-dialog';

interface Secret {
  totpURI: string;
  backupCodes: string[];
}

/**
 * Turns on the second factor: asks for the password, shows the secret as a QR code, checks a first
 * code, then shows the recovery codes.
 */
export function TwoFactorDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings');
  const [secret, setSecret] = useState<Secret | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  if (!secret) {
    return (
      <PasswordConfirmationDialog
        title={t('turn_two_factor_on')}
        description={t('you_need_an_authenticator_app_on_your')}
        action={t('continue')}
        onClose={onClose}
        work={async (password) => setSecret(await postAuthRequest<Secret>('/two-factor/enable', { password }))}
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
  const t = useTranslations('settings');
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    void QRCode.toDataURL(uri, { margin: 1, width: 352 }).then(setImage);
  }, [uri]);
  const form = useForm<{ code: string }>({ defaultValues: { code: '' } });
  const { submit, pending, error } = useFormSubmit(async ({ code }: { code: string }) => {
    await postAuthRequest('/two-factor/verify-totp', { code: code.replace(/\s/g, '') });
    onConfirmed();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t('scan_and_confirm')}
      description={t('scan_the_picture_with_the_app_then')}
      footer={
        <Button type="submit" form="first-code" pending={pending}>
          {t('turn_it_on')}
        </Button>
      }
    >
      <form id="first-code" className="grid gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
        <div className="mx-auto size-44 overflow-hidden rounded-lg border bg-white">
          {/* biome-ignore lint/performance/noImgElement: a data URL made here; there is nothing to optimise. */}
          {image ? <img src={image} alt={t('qr_code_for_the_authenticator_app')} className="size-full" /> : null}
        </div>
        <div className="grid gap-1.5">
          <p className="text-ink-soft text-xs">{t('or_type_this_key_into_the_app')}</p>
          <CopyField value={new URL(uri).searchParams.get('secret') ?? ''} label={t('key')} />
        </div>
        <Field label={t('code')} error={form.formState.errors.code?.message ?? error}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="one-time-code"
              {...form.register('code', { required: t('enter_the_six_digits') })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTranslations('settings');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t('two_factor_is_on')}
      description={t('keep_these_recovery_codes_where_you_would')}
      footer={<Button onClick={onClose}>{t('i_have_kept_them')}</Button>}
    >
      <div className="relative rounded-md border bg-muted/60 p-4">
        <ul aria-label={t('recovery_codes')} className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton value={codes.join('\n')} label={t('recovery_codes_2')} className="absolute! top-2 right-2" />
      </div>
    </Dialog>
  );
}
