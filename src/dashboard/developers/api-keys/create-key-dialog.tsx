'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { Checkbox } from '../checkbox';
import { SecretShownOnceDialog } from '../shown-once';
import { parseIpRanges, removeScopesIncludedInOthers } from './scope-groups';
import { ApiKeyScopePicker } from './scope-picker';
import { ApiKeyExampleRequest } from './try-key';

interface Values {
  name: string;
  ip_allow: string;
}

const FORM = 'create-key';

export function CreateApiKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('api_keys');
  const { mode } = useMe();
  const form = useForm<Values>({ defaultValues: { name: '', ip_allow: '' } });
  const [restricted, setRestricted] = useState(false);
  const [scopes, setScopes] = useState<string[]>([]);
  const [scopesMissing, setScopesMissing] = useState(false);
  const trpc = useTRPC();
  const create = useMutation(trpc.api_keys.create.mutationOptions({ meta: { handlesError: true } }));

  if (create.data) {
    return (
      <SecretShownOnceDialog
        title={t('the_key_is_ready')}
        label={t('api_key')}
        secret={create.data.key}
        onClose={onClose}
      >
        <ApiKeyExampleRequest apiKey={create.data.key} />
      </SecretShownOnceDialog>
    );
  }

  const submit = form.handleSubmit(({ name, ip_allow }) => {
    const chosen = removeScopesIncludedInOthers(scopes);
    if (restricted && chosen.length === 0) return setScopesMissing(true);
    create.mutate({ name, scopes: restricted ? chosen : null, ip_allow: parseIpRanges(ip_allow) });
  });
  const refused = create.error ? toDisplayableError(create.error) : null;
  const errorOf = (param: string) => (refused?.param?.split(/[.[]/)[0] === param ? refused.message : undefined);
  const nameError = form.formState.errors.name?.message ?? errorOf('name');
  const scopesError = scopesMissing ? t('choose_at_least_one_scope') : errorOf('scopes');
  const rangeError = errorOf('ip_allow');
  const placed = refused?.param && ['name', 'scopes', 'ip_allow'].includes(refused.param.split(/[.[]/)[0] ?? '');

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t(`create_a_key_${mode}`)}
      description={t(`it_works_on_${mode}`)}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={create.isPending}>
          {t('create_the_key')}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <Field label={t('name')} hint={t('what_calls_with_it_you_will')} error={nameError}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              placeholder={t('channel_manager')}
              {...form.register('name', {
                validate: (value) => value.trim() !== '' || t('give_the_key_a_name'),
                maxLength: { value: 80, message: t('at_most_80_characters') },
              })}
            />
          )}
        </Field>
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium text-sm">{t('what_it_may_do')}</legend>
          <Checkbox
            type="radio"
            name="type"
            checked={!restricted}
            onChange={() => setRestricted(false)}
            label={t('everything_secret_key')}
            hint={t('all_that_the_account_owner_can_do')}
          />
          <Checkbox
            type="radio"
            name="type"
            checked={restricted}
            onChange={() => setRestricted(true)}
            label={t('only_what_i_choose_restricted_key')}
            hint={t('for_a_service_that_needs_a_part')}
          />
        </fieldset>
        {restricted ? (
          <div className="grid gap-2">
            <ApiKeyScopePicker
              value={scopes}
              onChange={(next) => {
                setScopes(next);
                setScopesMissing(false);
              }}
            />
            {scopesError ? (
              <p role="alert" className="text-danger text-sm">
                {scopesError}
              </p>
            ) : null}
          </div>
        ) : null}
        <Field label={t('allowed_addresses')} optional hint={t('ip_addresses_or_cidr_ranges_one_a')} error={rangeError}>
          {(control) => (
            <Textarea
              {...control}
              spellCheck={false}
              className="font-mono text-xs/4!"
              placeholder={'203.0.113.7\n198.51.100.0/24'}
              {...form.register('ip_allow')}
            />
          )}
        </Field>
        <FormErrorMessage refused={placed ? null : refused} />
      </form>
    </Dialog>
  );
}
