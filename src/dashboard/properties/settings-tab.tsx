'use client';
import { Controller } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { DEFAULT_BRAND_COLOR } from '@/shared/colour/default';
import { ACCEPTANCE_STATEMENT_NAMES, type AcceptanceStatementName } from '@/shared/guest-text/acceptances';
import { PhonePreviewOfSigningPage } from '../packets/editor/guest-preview';
import type { Property } from '../types';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { EmbeddingSitesField } from './embedding-field';
import { FormErrorMessage, FormFooter, SwitchRow } from './form-parts';
import { LogoField } from './logo-field';
import type { PropertyFormField } from './property-values';
import { TimezoneSelect } from './timezone-select';
import { usePropertyForm } from './use-property-form';

const FORM = 'property-settings';
const FIELDS = [
  'name',
  'address',
  'city',
  'timezone',
  'brand_color',
  'logo_url',
  'auto_send_packet',
  'auto_send_offset_hours',
  'auto_reminders',
  'photo_required',
  'otp_required',
  'required_acceptances',
  'reply_to_email',
  'parallel_stays',
  'embed_origins',
] as const satisfies readonly PropertyFormField[];

const HEX = /^#[0-9a-fA-F]{6}$/;

type PropertyForm = ReturnType<typeof usePropertyForm>;

/** The settings of a property: its identity, its look on guest pages, and automatic sending. */
export function SettingsTab({ property }: { property: Property }) {
  const t = useTranslations('properties');
  const settings = usePropertyForm(property, FIELDS, t('the_property_is_saved'));
  const typed = settings.form.watch();
  const branding = {
    name: typed.name?.trim() || property.name,
    address: typed.address?.trim() || null,
    brand_color: HEX.test(typed.brand_color ?? '') ? (typed.brand_color ?? null) : null,
    logo_url: /^https?:\/\/\S+\.\S+/.test(typed.logo_url ?? '') ? (typed.logo_url ?? null) : null,
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Card>
        <form id={FORM} noValidate onSubmit={settings.submit}>
          <CardHeader title={t('settings')} description={t('what_guests_see_of_the_property_and')} />
          <Identity settings={settings} />
          <Branding settings={settings} property={property} />
          <Sending settings={settings} />
          <Signing settings={settings} />
          {settings.refused ? (
            <CardBody>
              <FormErrorMessage refused={settings.refused} />
            </CardBody>
          ) : null}
        </form>
        <FormFooter form={FORM} dirty={settings.dirty} pending={settings.pending} onDiscard={settings.discard} />
      </Card>
      <div className="lg:sticky lg:top-20">
        <PhonePreviewOfSigningPage property_id={property.id} branding={branding} />
      </div>
    </div>
  );
}

const Section = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <fieldset className="grid gap-5 border-b px-5 py-5 last:border-b-0">
    <legend className="float-left font-semibold text-sm">{title}</legend>
    {children}
  </fieldset>
);

/** A switch for a property of the form that is true or false. */
const SwitchField = ({
  control,
  name,
  ...row
}: {
  control: PropertyForm['form']['control'];
  name: 'auto_send_packet' | 'auto_reminders' | 'parallel_stays' | 'photo_required' | 'otp_required';
  label: string;
  hint: string;
}) => (
  <Controller
    control={control}
    name={name}
    render={({ field }) => <SwitchRow {...row} checked={field.value ?? false} onChange={field.onChange} />}
  />
);

function Identity({ settings: { form, errorOf } }: { settings: PropertyForm }) {
  const t = useTranslations('properties');
  return (
    <Section title={t('property')}>
      <Field label={t('name')} error={errorOf('name')}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('address')} optional error={errorOf('address')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('address')} />}
        </Field>
        <Field label={t('city')} optional error={errorOf('city')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('city')} />}
        </Field>
      </div>
      <Field label={t('time_zone')} hint={t('sending_reminders_and_the_end_of_a')} error={errorOf('timezone')}>
        {(control) => (
          <Controller
            control={form.control}
            name="timezone"
            render={({ field }) => <TimezoneSelect {...control} value={field.value ?? ''} onChange={field.onChange} />}
          />
        )}
      </Field>
    </Section>
  );
}

function Branding({ settings: { form, errorOf }, property }: { settings: PropertyForm; property: Property }) {
  const t = useTranslations('properties');
  const color = form.watch('brand_color') ?? '';
  return (
    <Section title={t('branding')}>
      <Field
        label={t('colour')}
        optional
        hint={t('of_buttons_and_headings_where_it_would')}
        error={errorOf('brand_color')}
      >
        {(control) => (
          <div className="flex gap-2">
            <input
              type="color"
              aria-label={t('pick_a_colour')}
              className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
              value={HEX.test(color) ? color : DEFAULT_BRAND_COLOR}
              onChange={(event) =>
                form.setValue('brand_color', event.target.value, { shouldDirty: true, shouldValidate: true })
              }
            />
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder="#1a2b3c"
              {...form.register('brand_color')}
            />
          </div>
        )}
      </Field>
      <LogoField property={property}>
        <Field
          label={t('logos_address')}
          optional
          hint={t('the_https_address_of_an_image')}
          error={errorOf('logo_url')}
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/logo.png"
              {...form.register('logo_url')}
            />
          )}
        </Field>
      </LogoField>
    </Section>
  );
}

function Sending({ settings: { form, errorOf } }: { settings: PropertyForm }) {
  const t = useTranslations('properties');
  const automatic = form.watch('auto_send_packet') ?? false;
  return (
    <Section title={t('sending')}>
      <SwitchField
        control={form.control}
        name="auto_send_packet"
        label={t('send_the_packet_by_itself')}
        hint={t('to_every_reservation_that_has_an_address')}
      />
      {automatic ? (
        <Field
          label={t('hours_before_check_in')}
          hint={t('1_to_336_empty_means_72')}
          error={errorOf('auto_send_offset_hours')}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              className="max-w-32"
              placeholder="72"
              {...form.register('auto_send_offset_hours')}
            />
          )}
        </Field>
      ) : null}
      <SwitchField
        control={form.control}
        name="auto_reminders"
        label={t('remind_guests_who_have_not_signed')}
        hint={t('by_mail_24_hours_and_2_hours')}
      />
      <Field
        label={t('answers_go_to')}
        optional
        hint={t('where_a_guests_reply_to_a_mail')}
        error={errorOf('reply_to_email')}
      >
        {(control) => (
          <Input {...control} type="email" inputMode="email" autoComplete="off" {...form.register('reply_to_email')} />
        )}
      </Field>
      <SwitchField
        control={form.control}
        name="parallel_stays"
        label={t('more_than_one_party_at_a_time')}
        hint={t('for_several_units_under_one_property_otherwise')}
      />
    </Section>
  );
}

function Signing({ settings: { form, errorOf } }: { settings: PropertyForm }) {
  const t = useTranslations('properties');
  return (
    <Section title={t('signing')}>
      <SwitchField
        control={form.control}
        name="photo_required"
        label={t('ask_for_a_photo')}
        hint={t('the_guest_takes_one_when_signing_it')}
      />
      <SwitchField
        control={form.control}
        name="otp_required"
        label={t('ask_for_a_one_time_code')}
        hint={t('mailed_to_the_guest_to_show_that')}
      />
      <Controller
        control={form.control}
        name="required_acceptances"
        render={({ field }) => <AcceptancesField value={field.value ?? []} onChange={field.onChange} />}
      />
      <EmbeddingSitesField register={form.register} error={errorOf('embed_origins')} />
    </Section>
  );
}

/** The statements that the guest has to accept separately, in the order of the signing page. */
function AcceptancesField({
  value,
  onChange,
}: {
  value: readonly AcceptanceStatementName[];
  onChange: (value: AcceptanceStatementName[]) => void;
}) {
  const t = useTranslations('properties');
  return (
    <fieldset className="grid gap-3">
      <legend className="font-medium text-sm">{t('acceptances_title')}</legend>
      <p className="text-ink-soft text-xs leading-relaxed">{t('acceptances_hint')}</p>
      {ACCEPTANCE_STATEMENT_NAMES.map((name) => (
        <SwitchRow
          key={name}
          label={t(`acceptance_${name}`)}
          checked={value.includes(name)}
          onChange={(on) =>
            onChange(ACCEPTANCE_STATEMENT_NAMES.filter((one) => (one === name ? on : value.includes(one))))
          }
        />
      ))}
    </fieldset>
  );
}
