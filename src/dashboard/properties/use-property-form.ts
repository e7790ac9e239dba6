'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import type { Property } from '@/modules/properties/schemas';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import { createFormResolver } from '../ui/form/resolver';
import { toast } from '../ui/overlay/toaster';
import {
  buildPropertyFormValues,
  type PropertyFormField,
  type PropertyFormValues,
  pickChangedPropertyValues,
} from './property-values';
import type { PropertyErrorTranslators } from './read-values';

async function findErrors(values: Partial<PropertyFormValues>, words: PropertyErrorTranslators) {
  const { parsePropertyFormValues } = await import('./read-values');
  const read = parsePropertyFormValues(values, words);
  return read.ok ? {} : read.errors;
}

function only(values: PropertyFormValues, fields: readonly PropertyFormField[]): Partial<PropertyFormValues> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/**
 * A form for some fields of a property. It saves only the changed fields, so that two users can
 * edit different fields at once.
 */
export function usePropertyForm(property: Property, fields: readonly PropertyFormField[], saved: string) {
  const words = { own: useTranslations('properties'), ui: useTranslations('ui') };
  const form = useForm<Partial<PropertyFormValues>>({
    resolver: createFormResolver((values) => findErrors(values, words)),
    mode: 'onTouched',
    // The form shows new values from the server, but keeps fields that are being edited.
    values: only(buildPropertyFormValues(property), fields),
    resetOptions: { keepDirtyValues: true },
  });
  // Discards edits, which `resetOptions` would preserve.
  const show = (row: Property) => form.reset(only(buildPropertyFormValues(row), fields), { keepDirtyValues: false });
  const trpc = useTRPC();
  const update = useMutation(
    trpc.properties.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (row) => {
        show(row);
        toast.success(saved);
      },
    }),
  );
  const refused = update.error ? toDisplayableError(update.error) : null;
  const refusedField = fields.find((field) => field === refused?.param?.split('[')[0]);
  const submit = form.handleSubmit(async (values) => {
    const { parsePropertyFormValues } = await import('./read-values');
    const read = parsePropertyFormValues(values, words);
    if (!read.ok) return;
    const changes = pickChangedPropertyValues(property, read.changes);
    if (Object.keys(changes).length === 0) return show(property);
    update.mutate({ id: property.id, ...changes });
  });
  return {
    form,
    submit,
    pending: update.isPending,
    dirty: form.formState.isDirty,
    discard: () => {
      update.reset();
      show(property);
    },
    errorOf: (field: PropertyFormField): string | undefined =>
      form.formState.errors[field]?.message ?? (refusedField === field ? refused?.message : undefined),
    /** The server's error. Null when it names a field of this form, which then shows the error. */
    refused: refusedField ? null : refused,
  };
}
