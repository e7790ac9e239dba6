'use client';
import { ShieldCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { postAuthRequest } from '../accounts/auth-client';
import { useFormSubmit } from '../accounts/use-submit';
import { useMe } from '../shell/me';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { lazyComponent } from '../ui/lazy-component';
import { toast } from '../ui/overlay/toaster';
import { SignInEmailAddressCard } from './email-card';
import { PasskeysCard } from './passkeys-card';
import { SignInRulesCard } from './sign-in-rules-card';

const TwoFactorDialog = lazyComponent(() => import('./two-factor-dialog').then((file) => file.TwoFactorDialog));
const PasswordDialog = lazyComponent(() => import('./password-dialog').then((file) => file.PasswordConfirmationDialog));

export function SecurityTab() {
  const { user } = useMe();
  return (
    <div className="grid gap-6">
      <PasskeysCard />
      <TwoFactorCard />
      <PasswordCard />
      <SignInEmailAddressCard />
      {user.role === 'owner' ? <SignInRulesCard /> : null}
    </div>
  );
}

function TwoFactorCard() {
  const t = useTranslations('settings');
  const router = useRouter();
  const { user } = useMe();
  const [open, setOpen] = useState<'enable' | 'disable' | null>(null);
  const close = () => setOpen(null);
  const on = user.two_factor_enabled;
  return (
    <Card>
      <CardHeader
        title={t('two_factor')}
        description={t('after_the_password_a_code_of_an')}
        actions={on ? <Badge tone="success">{t('on')}</Badge> : <Badge>{t('off')}</Badge>}
      />
      <CardBody>
        {on ? (
          <Button variant="secondary" onClick={() => setOpen('disable')}>
            {t('turn_it_off')}
          </Button>
        ) : (
          <Button onClick={() => setOpen('enable')}>
            <ShieldCheck aria-hidden />
            {t('turn_it_on')}
          </Button>
        )}
      </CardBody>
      {open === 'enable' ? (
        <TwoFactorDialog
          onClose={() => {
            close();
            router.refresh();
          }}
        />
      ) : null}
      {open === 'disable' ? (
        <PasswordDialog
          title={t('turn_two_factor_off')}
          description={t('your_password_alone_will_then_open_your')}
          action={t('turn_it_off')}
          danger
          onClose={close}
          work={async (password) => {
            await postAuthRequest('/two-factor/disable', { password });
            toast.success(t('two_factor_is_off'));
            close();
            router.refresh();
          }}
        />
      ) : null}
    </Card>
  );
}

const MIN_LENGTH = 8;

function PasswordCard() {
  const t = useTranslations('settings');
  const [wrong, setWrong] = useState<{ current?: string; next?: string }>({});
  const { submit, pending, error } = useFormSubmit(async (form: HTMLFormElement) => {
    const typed = new FormData(form);
    await postAuthRequest('/change-password', {
      currentPassword: typed.get('current'),
      newPassword: typed.get('next'),
      revokeOtherSessions: true,
    });
    form.reset();
    toast.success(t('your_password_is_changed_you_are_signed'));
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const current = form.elements.namedItem('current') as HTMLInputElement;
    const next = form.elements.namedItem('next') as HTMLInputElement;
    const short = next.value ? t('the_password_needs_at_least_8_characters') : t('choose_a_password');
    const found = {
      current: current.value ? undefined : t('enter_your_password'),
      next: next.value.length < MIN_LENGTH ? short : undefined,
    };
    setWrong(found);
    if (found.current) current.focus();
    else if (found.next) next.focus();
    else void submit(form);
  };
  return (
    <Card>
      <CardHeader title={t('password')} description={t('changing_it_signs_you_out_everywhere_else')} />
      <CardBody>
        <form className="grid max-w-sm gap-4" noValidate onSubmit={onSubmit}>
          <Field label={t('current_password')} error={wrong.current ?? error}>
            {(control) => <Input {...control} name="current" type="password" autoComplete="current-password" />}
          </Field>
          <Field label={t('new_password')} hint={t('at_least_8_characters')} error={wrong.next}>
            {(control) => <Input {...control} name="next" type="password" autoComplete="new-password" />}
          </Field>
          <Button type="submit" className="w-fit" pending={pending}>
            {t('change_password')}
          </Button>
        </form>
      </CardBody>
    </Card>
  );
}
