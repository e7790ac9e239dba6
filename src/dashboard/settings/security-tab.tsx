'use client';
import { ShieldCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { authPost } from '../accounts/auth-client';
import { useSubmit } from '../accounts/use-submit';
import { useMe } from '../shell/me';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { lazyComponent } from '../ui/lazy-component';
import { toast } from '../ui/overlay/toaster';

// Loaded on first use.
const TwoFactorDialog = lazyComponent(() => import('./two-factor-dialog').then((file) => file.TwoFactorDialog));
const EmailCard = lazyComponent(() => import('./email-card').then((file) => file.EmailCard));
const SignInRulesCard = lazyComponent(() => import('./sign-in-rules-card').then((file) => file.SignInRulesCard));
const PasskeysCard = lazyComponent(() => import('./passkeys-card').then((file) => file.PasskeysCard));
const PasswordDialog = lazyComponent(() => import('./password-dialog').then((file) => file.PasswordDialog));

export function SecurityTab() {
  const { user } = useMe();
  return (
    <div className="grid gap-6">
      <PasskeysCard />
      <TwoFactorCard />
      <PasswordCard />
      <EmailCard />
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
            await authPost('/two-factor/disable', { password });
            toast.success(t('two_factor_is_off'));
            close();
            router.refresh();
          }}
        />
      ) : null}
    </Card>
  );
}

interface PasswordValues {
  current: string;
  next: string;
}

function PasswordCard() {
  const t = useTranslations('settings');
  const form = useForm<PasswordValues>({ defaultValues: { current: '', next: '' } });
  const { errors } = form.formState;
  const { submit, pending, error } = useSubmit(async ({ current, next }: PasswordValues) => {
    await authPost('/change-password', { currentPassword: current, newPassword: next, revokeOtherSessions: true });
    form.reset();
    toast.success(t('your_password_is_changed_you_are_signed'));
  });
  return (
    <Card>
      <CardHeader title={t('password')} description={t('changing_it_signs_you_out_everywhere_else')} />
      <CardBody>
        <form className="grid max-w-sm gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
          <Field label={t('current_password')} error={errors.current?.message ?? error}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="current-password"
                {...form.register('current', { required: t('enter_your_password') })}
              />
            )}
          </Field>
          <Field label={t('new_password')} hint={t('at_least_8_characters')} error={errors.next?.message}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="new-password"
                {...form.register('next', {
                  required: t('choose_a_password'),
                  minLength: { value: 8, message: t('the_password_needs_at_least_8_characters') },
                })}
              />
            )}
          </Field>
          <Button type="submit" className="w-fit" pending={pending}>
            {t('change_password')}
          </Button>
        </form>
      </CardBody>
    </Card>
  );
}
