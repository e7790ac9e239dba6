'use client';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { LANGUAGE_NAMES } from '../../packets/editor/languages';
import { useVariants } from '../../packets/queries';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { SOURCES } from '../labels';
import type { ReservationValues, ValueErrors } from './form-values';

/** Radix knows no empty value. */
const DEFAULT = 'default';

interface ReservationFieldsProps {
  form: UseFormReturn<ReservationValues>;
  errors: ValueErrors;
  /** What can be chosen; absent where the property is fixed. */
  properties?: { id: string; name: string }[];
}

/** The fields of creating and of editing: what came with the booking (property, channel, code) cannot be edited. */
export function ReservationFields({ form, errors, properties }: ReservationFieldsProps) {
  const t = useTranslations('reservations');
  const property_id = form.watch('property_id');
  return (
    <div className="grid gap-5">
      {properties ? (
        <Field label="Property" error={errors.property_id}>
          {(control) => (
            <Controller
              control={form.control}
              name="property_id"
              render={({ field }) => (
                <Select
                  {...control}
                  value={field.value}
                  placeholder="Choose a property"
                  options={properties.map(({ id, name }) => ({ value: id, label: name }))}
                  onValueChange={(value) => {
                    field.onChange(value);
                    form.setValue('packet_id', '');
                  }}
                />
              )}
            />
          )}
        </Field>
      ) : null}
      {property_id ? <PacketField form={form} property_id={property_id} error={errors.packet_id} /> : null}
      <Field label="Guest’s name" error={errors.guest_name}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('guest_name')} />}
      </Field>
      <Field
        label="Guest’s e-mail"
        optional
        hint="Without an address you get a link to share through the channel’s own messages."
        error={errors.guest_email}
      >
        {(control) => <Input {...control} type="email" autoComplete="off" {...form.register('guest_email')} />}
      </Field>
      <LanguageField form={form} error={errors.locale} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Check-in" error={errors.checkin_date}>
          {(control) => <Input {...control} type="date" {...form.register('checkin_date')} />}
        </Field>
        <Field label="Check-out" error={errors.checkout_date}>
          {(control) => <Input {...control} type="date" {...form.register('checkout_date')} />}
        </Field>
        {properties ? (
          <>
            <Field label="Booked through" error={errors.source}>
              {(control) => (
                <Controller
                  control={form.control}
                  name="source"
                  render={({ field }) => (
                    <Select
                      {...control}
                      value={field.value}
                      options={SOURCES.map((value) => ({ value, label: t(`source_${value}`) }))}
                      onValueChange={field.onChange}
                    />
                  )}
                />
              )}
            </Field>
            <Field label="Booking code" optional error={errors.external_id}>
              {(control) => <Input {...control} autoComplete="off" {...form.register('external_id')} />}
            </Field>
          </>
        ) : null}
      </div>
    </div>
  );
}

/** One of those that pages and mails are in; and one that came otherwise, as it is. */
function LanguageField({ form, error }: { form: UseFormReturn<ReservationValues>; error?: string }) {
  const known = form.formState.defaultValues?.locale;
  const other = known && !Object.hasOwn(LANGUAGE_NAMES, known) ? [{ value: known, label: known }] : [];
  return (
    <Field
      label="Guest’s language"
      optional
      hint="For mails, the page and the certificate. The guest can choose another."
      error={error}
    >
      {(control) => (
        <Controller
          control={form.control}
          name="locale"
          render={({ field }) => (
            <Select
              {...control}
              value={field.value || DEFAULT}
              options={[
                { value: DEFAULT, label: 'As the browser says' },
                ...other,
                ...Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label })),
              ]}
              onValueChange={(value) => field.onChange(value === DEFAULT ? '' : value)}
            />
          )}
        />
      )}
    </Field>
  );
}

/** Only where there is a choice: most properties have one packet. */
function PacketField({
  form,
  property_id,
  error,
}: {
  form: UseFormReturn<ReservationValues>;
  property_id: string;
  error?: string;
}) {
  const variants = useVariants(property_id);
  const active = (variants.data?.data ?? []).filter(({ status }) => status === 'active');
  if (active.length < 2) return null;
  return (
    <Field label="Packet" hint="What this guest gets to read and sign." error={error}>
      {(control) => (
        <Controller
          control={form.control}
          name="packet_id"
          render={({ field }) => (
            <Select
              {...control}
              value={field.value || DEFAULT}
              options={[
                { value: DEFAULT, label: 'The property’s default' },
                ...active.map((packet) => ({ value: packet.id, label: packet.name })),
              ]}
              onValueChange={(value) => field.onChange(value === DEFAULT ? '' : value)}
            />
          )}
        />
      )}
    </Field>
  );
}
