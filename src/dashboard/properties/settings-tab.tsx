'use client';
import { Controller } from 'react-hook-form';
import { GuestPreview } from '../packets/editor/guest-preview';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { EmbeddingField } from './embedding-field';
import { FormFooter, Refusal, SwitchRow } from './form-parts';
import { LogoField } from './logo-field';
import type { PropertyField } from './property-values';
import type { Property } from './queries';
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
  'reply_to_email',
  'parallel_stays',
  'embed_origins',
] as const satisfies readonly PropertyField[];

const HEX = /^#[0-9a-fA-F]{6}$/;
/** What the picker starts from when there is no colour yet: the guest pages' own. */
const OWN_COLOR = '#1f5f54';

type PropertyForm = ReturnType<typeof usePropertyForm>;

/** Who the property is, how it looks to guests, and what is sent by itself. */
export function SettingsTab({ property }: { property: Property }) {
  const settings = usePropertyForm(property, FIELDS, 'The property is saved.');
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
          <CardHeader title="Settings" description="What guests see of the property, and what happens by itself." />
          <Identity settings={settings} />
          <Branding settings={settings} property={property} />
          <Sending settings={settings} />
          <Signing settings={settings} />
          {settings.refused ? (
            <CardBody>
              <Refusal refused={settings.refused} />
            </CardBody>
          ) : null}
        </form>
        <FormFooter form={FORM} dirty={settings.dirty} pending={settings.pending} onDiscard={settings.discard} />
      </Card>
      <div className="lg:sticky lg:top-20">
        <GuestPreview property_id={property.id} branding={branding} />
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

function Identity({ settings: { form, errorOf } }: { settings: PropertyForm }) {
  return (
    <Section title="Property">
      <Field label="Name" error={errorOf('name')}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Address" optional error={errorOf('address')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('address')} />}
        </Field>
        <Field label="City" optional error={errorOf('city')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('city')} />}
        </Field>
      </div>
      <Field
        label="Time zone"
        hint="Sending, reminders and the end of a stay follow its clock."
        error={errorOf('timezone')}
      >
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
  const color = form.watch('brand_color') ?? '';
  return (
    <Section title="Branding">
      <Field
        label="Colour"
        optional
        hint="Of buttons and headings. Where it would be hard to read, the page darkens or lightens it."
        error={errorOf('brand_color')}
      >
        {(control) => (
          <div className="flex gap-2">
            <input
              type="color"
              aria-label="Pick a colour"
              className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
              value={HEX.test(color) ? color : OWN_COLOR}
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
        <Field label="Logo’s address" optional hint="The https address of an image." error={errorOf('logo_url')}>
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
  const automatic = form.watch('auto_send_packet') ?? false;
  return (
    <Section title="Sending">
      <Controller
        control={form.control}
        name="auto_send_packet"
        render={({ field }) => (
          <SwitchRow
            label="Send the packet by itself"
            hint="To every reservation that has an address, before check-in."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
      {automatic ? (
        <Field label="Hours before check-in" hint="1 to 336. Empty means 72." error={errorOf('auto_send_offset_hours')}>
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
      <Controller
        control={form.control}
        name="auto_reminders"
        render={({ field }) => (
          <SwitchRow
            label="Remind guests who have not signed"
            hint="By mail, 24 hours and 2 hours before check-in."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
      <Field
        label="Answers go to"
        optional
        hint="Where a guest’s reply to a mail arrives. Empty means the team’s contact address (Settings)."
        error={errorOf('reply_to_email')}
      >
        {(control) => (
          <Input {...control} type="email" inputMode="email" autoComplete="off" {...form.register('reply_to_email')} />
        )}
      </Field>
      <Controller
        control={form.control}
        name="parallel_stays"
        render={({ field }) => (
          <SwitchRow
            label="More than one party at a time"
            hint="For several units under one property. Otherwise bookings from two sources for the same nights wait until you say that both are real."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
    </Section>
  );
}

function Signing({ settings: { form, errorOf } }: { settings: PropertyForm }) {
  return (
    <Section title="Signing">
      <Controller
        control={form.control}
        name="photo_required"
        render={({ field }) => (
          <SwitchRow
            label="Ask for a photo"
            hint="The guest takes one when signing. It applies to reservations sent from now on."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
      <Controller
        control={form.control}
        name="otp_required"
        render={({ field }) => (
          <SwitchRow
            label="Ask for a one-time code"
            hint="Mailed to the guest, to show that the address is theirs."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
      <EmbeddingField register={form.register} error={errorOf('embed_origins')} />
    </Section>
  );
}
