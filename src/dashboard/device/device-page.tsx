'use client';
import { useMutation } from '@tanstack/react-query';
import { Ban, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import type { DeviceAwaitingApproval } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import { DeviceApprovalPrompt } from './device-question';
import { describeDeviceCodeError } from './refusal';

type Found = { code: string; device: DeviceAwaitingApproval };

/**
 * The page where an owner enters the code of a terminal, sees the request, and approves or denies
 * it.
 */
export function DeviceLoginPage({ code }: { code: string }) {
  const t = useTranslations('device');
  const { user } = useMe();
  const [found, setFound] = useState<Found | null>(null);
  const [answer, setAnswer] = useState<'allowed' | 'refused' | null>(null);
  return (
    <div className="mx-auto max-w-xl">
      <PageHeader title={t('title')} description={t('lead')} />
      <Card>
        {user.role !== 'owner' && user.role !== 'developer' ? (
          <EmptyState icon={Ban} title={t('owners_only')}>
            {t('owners_only_detail')}
          </EmptyState>
        ) : answer ? (
          <Told answer={answer} />
        ) : found ? (
          <Step name={t('question')}>
            <DeviceApprovalPrompt {...found} onAnswer={setAnswer} />
          </Step>
        ) : (
          <CodeForm code={code} onFound={setFound} />
        )}
      </Card>
    </div>
  );
}

/**
 * Moves the focus to the new step, so that screen readers announce it and the keyboard continues
 * from there.
 */
function Step({ name, children }: { name: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields.
    <div ref={place} role="group" aria-label={name} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}

function CodeForm({ code, onFound }: { code: string; onFound: (found: Found) => void }) {
  const t = useTranslations('device');
  const form = useForm({ defaultValues: { user_code: code } });
  const trpc = useTRPC();
  const find = useMutation(trpc.api_keys.find_device.mutationOptions({ meta: { handlesError: true } }));
  const submit = form.handleSubmit(({ user_code }) =>
    find.mutate({ user_code }, { onSuccess: (device) => onFound({ code: user_code.trim().toUpperCase(), device }) }),
  );
  const error =
    form.formState.errors.user_code?.message ?? (find.error ? describeDeviceCodeError(find.error, t) : undefined);
  return (
    <CardBody>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field label={t('code')} hint={t('code_hint')} error={error}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              autoFocus
              className="h-12! text-center font-mono text-lg! uppercase tracking-widest"
              {...form.register('user_code', { validate: (value) => value.trim() !== '' || t('enter_the_code') })}
            />
          )}
        </Field>
        <Button type="submit" size="lg" pending={find.isPending}>
          {t('continue')}
        </Button>
      </form>
    </CardBody>
  );
}

function Told({ answer }: { answer: 'allowed' | 'refused' }) {
  const t = useTranslations('device');
  const allowed = answer === 'allowed';
  return (
    <Step name={t(answer)}>
      <EmptyState
        icon={allowed ? CircleCheck : Ban}
        title={t(answer)}
        action={
          <LinkButton variant="secondary" href={paths.api_keys}>
            {t('api_keys')}
          </LinkButton>
        }
      >
        {t(allowed ? 'allowed_detail' : 'refused_detail')}
      </EmptyState>
    </Step>
  );
}
