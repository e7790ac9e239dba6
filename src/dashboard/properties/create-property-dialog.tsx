'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useMe } from '../shell/me';
import { PlanUpgradeNotice } from '../shell/plan-required';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { createFormResolver } from '../ui/form/resolver';
import { Dialog } from '../ui/overlay/dialog';
import { FormErrorMessage } from './form-parts';
import { parsePropertyFormValues } from './read-values';
import { TimezoneSelect } from './timezone-select';

const FORM = 'create-property';
const FIELDS = ['name', 'address', 'city', 'timezone'] as const;
type Values = Record<(typeof FIELDS)[number], string>;

/**
 * Creates a property. The form has only the fields that are needed at first. The property's page
 * has all others.
 */
export function CreatePropertyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (property: Property) => void;
}) {
  const t = useTranslations('properties');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const create = useMutation(
    trpc.properties.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: onCreated,
    }),
  );
  const full = useOneLivePropertyIsAll();
  const read = (values: Values) => parsePropertyFormValues(values, { own: t, ui });
  const form = useForm<Values>({
    resolver: createFormResolver((values) => {
      const found = read(values);
      return found.ok ? {} : found.errors;
    }),
    defaultValues: {
      name: '',
      address: '',
      city: '',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '',
    },
  });
  const refused = create.error ? toDisplayableError(create.error) : null;
  const placed = FIELDS.find((field) => field === refused?.param);
  const errorOf = (field: (typeof FIELDS)[number]) =>
    form.formState.errors[field]?.message ?? (placed === field ? refused?.message : undefined);
  const submit = form.handleSubmit((values) => {
    const found = read(values);
    if (found.ok) create.mutate({ ...found.changes, name: values.name });
  });
  if (full) {
    return (
      <Dialog open onOpenChange={onClose} title={t('create_a_property')}>
        <PlanUpgradeNotice message={t('the_free_plan_has_one_live_property')} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('create_a_property')}
      description={t('it_is_born_with_an_empty_packet')}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={create.isPending}>
          {t('create_the_property')}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <Field label={t('name')} hint={t('guests_see_it_at_the_top_of')} error={errorOf('name')}>
          {(control) => <Input {...control} autoComplete="off" placeholder="Harbour Loft" {...form.register('name')} />}
        </Field>
        <Field label={t('address')} optional error={errorOf('address')}>
          {(control) => (
            <Input {...control} autoComplete="off" placeholder="Rua da Praia 12" {...form.register('address')} />
          )}
        </Field>
        <Field label={t('city')} optional error={errorOf('city')}>
          {(control) => <Input {...control} autoComplete="off" placeholder="Cascais" {...form.register('city')} />}
        </Field>
        <Field label={t('time_zone')} hint={t('sending_reminders_and_the_end_of_a')} error={errorOf('timezone')}>
          {(control) => (
            <Controller
              control={form.control}
              name="timezone"
              render={({ field }) => <TimezoneSelect {...control} value={field.value} onChange={field.onChange} />}
            />
          )}
        </Field>
        {refused?.code === 'plan_required' ? (
          <PlanUpgradeNotice message={refused.message} />
        ) : (
          <FormErrorMessage refused={placed ? null : refused} />
        )}
      </form>
    </Dialog>
  );
}

/**
 * Returns whether the plan allows no further live property. Returns false until the usage is
 * loaded.
 */
function useOneLivePropertyIsAll(): boolean {
  const { mode, team } = useMe();
  const asks = mode === 'live' && team.plan === 'free';
  const usage = useQuery(useTRPC().home.usage.queryOptions(undefined, { enabled: asks, staleTime: 0 }));
  return asks && usage.data !== undefined && usage.data.live.properties >= usage.data.live.limits.properties;
}
