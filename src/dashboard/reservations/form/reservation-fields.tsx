'use client';
import { useQuery } from '@tanstack/react-query';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { GUEST_LANGUAGES } from '@/shared/guest-text/locale';
import { useReservationSourceName } from '../../channel-names';
import { useTRPC } from '../../trpc';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { RESERVATION_SOURCE_FILTER_VALUES } from '../labels';
import type { ReservationFieldErrors, ReservationFormValues } from './form-values';

/** The value of the default option. Radix does not support empty values. */
const DEFAULT = 'default';

interface ReservationFieldsProps {
  form: UseFormReturn<ReservationFormValues>;
  /** Errors from the server, by field. */
  refused: ReservationFieldErrors;
  /** The properties to choose from. Undefined when the property is fixed. */
  properties?: { id: string; name: string }[];
}

/**
 * The fields for creating and editing a reservation. The property, channel and booking code of an
 * existing reservation cannot be edited.
 */
export function ReservationFields({ form, refused, properties }: ReservationFieldsProps) {
  const say = useTranslations('reservation_form');
  const sourceName = useReservationSourceName();
  const property_id = form.watch('property_id');
  const wrong = form.formState.errors;
  const errorOf = (field: keyof ReservationFormValues) => wrong[field]?.message ?? refused[field];
  return (
    <div className="grid gap-5">
      {properties ? (
        <Field label={say('property')} error={errorOf('property_id')}>
          {(control) => (
            <Controller
              control={form.control}
              name="property_id"
              render={({ field }) => (
                <Select
                  {...control}
                  ref={field.ref}
                  value={field.value}
                  placeholder={say('choose_a_property')}
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
      <GuestContactFields form={form} refused={refused} optional />
      {property_id ? <PacketField form={form} property_id={property_id} error={errorOf('packet_id')} /> : null}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={say('check_in')} error={errorOf('checkin_date')}>
          {(control) => <Input {...control} type="date" {...form.register('checkin_date')} />}
        </Field>
        <Field label={say('check_out')} error={errorOf('checkout_date')}>
          {(control) => <Input {...control} type="date" {...form.register('checkout_date')} />}
        </Field>
        {properties ? (
          <>
            <Field label={say('booked_through')} error={errorOf('source')}>
              {(control) => (
                <Controller
                  control={form.control}
                  name="source"
                  render={({ field }) => (
                    <Select
                      {...control}
                      value={field.value}
                      options={RESERVATION_SOURCE_FILTER_VALUES.map((value) => ({ value, label: sourceName(value) }))}
                      onValueChange={field.onChange}
                    />
                  )}
                />
              )}
            </Field>
            <Field label={say('booking_code')} optional error={errorOf('external_id')}>
              {(control) => <Input {...control} autoComplete="off" {...form.register('external_id')} />}
            </Field>
          </>
        ) : null}
      </div>
    </div>
  );
}

interface GuestFieldsProps extends Pick<ReservationFieldsProps, 'form' | 'refused'> {
  /** Whether the email address may be empty. */
  optional?: boolean;
  /** Whether to show the field for the last digits of the phone number. */
  phone?: boolean;
}

/** The fields for the guest's name and contact details. */
export function GuestContactFields({ form, refused, optional, phone }: GuestFieldsProps) {
  const say = useTranslations('reservation_form');
  const errorOf = (field: keyof ReservationFormValues) => form.formState.errors[field]?.message ?? refused[field];
  return (
    <>
      <Field label={say('guests_name')} error={errorOf('guest_name')}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('guest_name')} />}
      </Field>
      <Field
        label={say('guests_e_mail')}
        optional={optional}
        hint={optional ? say('without_an_address_you_get_a_link') : undefined}
        error={errorOf('guest_email')}
      >
        {(control) => <Input {...control} type="email" autoComplete="off" {...form.register('guest_email')} />}
      </Field>
      {phone ? (
        <Field label={say('phone_last_digits')} optional error={errorOf('guest_phone_last4')}>
          {(control) => (
            <Input {...control} inputMode="numeric" autoComplete="off" {...form.register('guest_phone_last4')} />
          )}
        </Field>
      ) : null}
      <LanguageField form={form} error={errorOf('locale')} />
    </>
  );
}

/**
 * A select with the languages of pages and mails. If the guest's current language is not among
 * them, it is an additional option.
 */
function LanguageField({ form, error }: { form: UseFormReturn<ReservationFormValues>; error?: string }) {
  const t = useTranslations('reservation_form');
  const known = form.formState.defaultValues?.locale;
  const other = known && !Object.hasOwn(GUEST_LANGUAGES, known) ? [{ value: known, label: known }] : [];
  return (
    <Field label={t('guests_language')} optional hint={t('for_mails_the_page_and_the_certificate')} error={error}>
      {(control) => (
        <Controller
          control={form.control}
          name="locale"
          render={({ field }) => (
            <Select
              {...control}
              value={field.value || DEFAULT}
              options={[
                { value: DEFAULT, label: t('as_the_browser_says') },
                ...other,
                ...Object.entries(GUEST_LANGUAGES).map(([value, { name }]) => ({ value, label: name })),
              ]}
              onValueChange={(value) => field.onChange(value === DEFAULT ? '' : value)}
            />
          )}
        />
      )}
    </Field>
  );
}

/**
 * A select with the property's packets. Rendered even when there is only one packet, because the
 * packets load late and a field that appears later would move the fields below.
 */
function PacketField({
  form,
  property_id,
  error,
}: {
  form: UseFormReturn<ReservationFormValues>;
  property_id: string;
  error?: string;
}) {
  const t = useTranslations('reservation_form');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const variants = useQuery(trpc.packets.list.queryOptions({ id: property_id }));
  const active = (variants.data?.data ?? []).filter(({ status }) => status === 'active');
  return (
    <Field label={t('packet')} hint={t('what_this_guest_gets_to_read_and')} error={error}>
      {(control) => (
        <Controller
          control={form.control}
          name="packet_id"
          render={({ field }) => (
            <Select
              {...control}
              value={field.value || DEFAULT}
              placeholder={ui('loading')}
              disabled={variants.isPending}
              options={[
                { value: DEFAULT, label: t('the_propertys_default') },
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
