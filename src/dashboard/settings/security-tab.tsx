'use client';
import { ShieldCheck } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { authPost } from '../accounts/auth-client';
import { useSubmit } from '../accounts/use-submit';
import { useMe } from '../shell/me';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';

// Each is loaded when somebody asks for it.
const TwoFactorDialog = dynamic(() => import('./two-factor-dialog').then((file) => file.TwoFactorDialog), {
  ssr: false,
});
const PasswordDialog = dynamic(() => import('./password-dialog').then((file) => file.PasswordDialog), { ssr: false });

export function SecurityTab() {
  return (
    <div className="grid gap-6">
      <TwoFactorCard />
      <PasswordCard />
    </div>
  );
}

function TwoFactorCard() {
  const router = useRouter();
  const { user } = useMe();
  const [open, setOpen] = useState<'enable' | 'disable' | null>(null);
  const close = () => setOpen(null);
  const on = user.two_factor_enabled;
  return (
    <Card>
      <CardHeader
        title="Two-factor"
        description="After the password, a code of an authenticator app."
        actions={on ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody>
        {on ? (
          <Button variant="secondary" onClick={() => setOpen('disable')}>
            Turn it off
          </Button>
        ) : (
          <Button onClick={() => setOpen('enable')}>
            <ShieldCheck aria-hidden />
            Turn it on
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
          title="Turn two-factor off?"
          description="Your password alone will then open your account."
          action="Turn it off"
          danger
          onClose={close}
          work={async (password) => {
            await authPost('/two-factor/disable', { password });
            toast.success('Two-factor is off.');
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
  const form = useForm<PasswordValues>({ defaultValues: { current: '', next: '' } });
  const { errors } = form.formState;
  const { submit, pending, error } = useSubmit(async ({ current, next }: PasswordValues) => {
    await authPost('/change-password', { currentPassword: current, newPassword: next, revokeOtherSessions: true });
    form.reset();
    toast.success('Your password is changed. You are signed out everywhere else.');
  });
  return (
    <Card>
      <CardHeader title="Password" description="Changing it signs you out everywhere else." />
      <CardBody>
        <form className="grid max-w-sm gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
          <Field label="Current password" error={errors.current?.message ?? error}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="current-password"
                {...form.register('current', { required: 'Enter your password.' })}
              />
            )}
          </Field>
          <Field label="New password" hint="At least 8 characters." error={errors.next?.message}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="new-password"
                {...form.register('next', {
                  required: 'Choose a password.',
                  minLength: { value: 8, message: 'The password needs at least 8 characters.' },
                })}
              />
            )}
          </Field>
          <Button type="submit" className="w-fit" pending={pending}>
            Change password
          </Button>
        </form>
      </CardBody>
    </Card>
  );
}
