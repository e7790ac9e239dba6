'use client';
import { CalendarDays, Mail } from 'lucide-react';
import { useId, useState } from 'react';
import { useProperties } from '../properties/queries';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { FeedPreview } from './feed-preview';
import { type CalendarKind, CHANNELS } from './labels';
import { ClosuresSwitch, PolicySelect } from './policy-select';
import { type Source, useConnect, usePreview } from './queries';

interface ConnectDialogProps {
  onClose: () => void;
  onConnected: (source: Source) => void;
}

const FORM = 'connect';

/** A calendar, looked at before it is saved, or a forwarding address. */
export function ConnectDialog({ onClose, onConnected }: ConnectDialogProps) {
  const properties = useProperties();
  const options = (properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const [way, setWay] = useState<'calendar' | 'mail'>('calendar');
  const [chosen, setChosen] = useState('');
  const [kind, setKind] = useState<CalendarKind>('channel_a_ical');
  const [url, setUrl] = useState('');
  const [closures, setClosures] = useState(false);
  const [otherwise, setOtherwise] = useState<Source['reading']['otherwise']>('booking');
  const [missing, setMissing] = useState<'property' | 'url' | null>(null);
  const preview = usePreview();
  const connect = useConnect((source) => {
    toast.success(
      way === 'calendar' ? 'The calendar is connected. Its bookings are on their way.' : 'The address is ready.',
    );
    onConnected(source);
  });
  const property_id = chosen || (options.length === 1 ? (options[0]?.value ?? '') : '');
  const feed = {
    property_id,
    kind,
    feed_url: url.trim(),
    closures_are_blocks: closures,
    ...(kind === 'other_ical' && { reading: { otherwise, rules: [] } }),
  };
  const seen = preview.data && !preview.isPending ? preview.data : null;
  const ready = way === 'mail' || seen?.ok === true;
  /** Whatever is looked at must be what is saved. */
  const changed = () => {
    preview.reset();
    connect.reset();
    setMissing(null);
  };
  const submit = () => {
    if (!property_id) return setMissing('property');
    if (way === 'mail') return connect.mutate({ property_id, kind: 'forward_email', feed_url: null });
    if (!feed.feed_url) return setMissing('url');
    if (ready) connect.mutate(feed);
    else preview.mutate(feed);
  };
  const failure = preview.error ?? connect.error;
  const refused = failure ? readError(failure) : null;
  const url_error =
    missing === 'url' ? 'Paste the calendar’s link.' : refused?.param === 'feed_url' ? refused.message : undefined;
  const channel = CHANNELS.find(({ value }) => value === kind);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Connect a source of bookings"
      description="Bookings become reservations by themselves. Nothing is sent to guests until you say so."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} pending={properties.isPending || preview.isPending || connect.isPending}>
            {way === 'mail' ? 'Make the address' : ready ? 'Connect the calendar' : 'Look at the calendar'}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className="grid gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <WayPicker
          value={way}
          onChange={(next) => {
            setWay(next);
            changed();
          }}
        />
        <Field
          label="Property"
          error={
            missing === 'property' && !property_id
              ? 'Choose the property.'
              : refused?.param === 'property_id'
                ? refused.message
                : undefined
          }
          hint={properties.data && options.length === 0 ? 'Create a property first.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              value={property_id}
              placeholder="Choose…"
              options={options}
              onValueChange={(value) => {
                setChosen(value);
                changed();
              }}
            />
          )}
        </Field>
        {way === 'calendar' ? (
          <>
            <Field label="Channel" hint={channel ? `You find the link under ${channel.where}.` : undefined}>
              {(control) => (
                <Select
                  {...control}
                  value={kind}
                  options={CHANNELS}
                  onValueChange={(value) => {
                    setKind(value as CalendarKind);
                    changed();
                  }}
                />
              )}
            </Field>
            <Field
              label="Calendar link"
              hint="It usually ends in .ics. Who has it can read your calendar: we keep it encrypted."
              error={url_error}
            >
              {(control) => (
                <Input
                  {...control}
                  type="url"
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="https://…/calendar.ics"
                  value={url}
                  onChange={(event) => {
                    setUrl(event.target.value);
                    changed();
                  }}
                />
              )}
            </Field>
            {kind === 'channel_c_ical' ? (
              <ClosuresSwitch
                checked={closures}
                onChange={(value) => {
                  setClosures(value);
                  changed();
                }}
              />
            ) : null}
            {kind === 'other_ical' ? (
              <PolicySelect
                value={otherwise}
                onChange={(value) => {
                  setOtherwise(value);
                  changed();
                }}
              />
            ) : null}
            <div aria-live="polite">{seen ? <FeedPreview preview={seen} /> : null}</div>
          </>
        ) : (
          <p className="text-ink-soft text-sm leading-relaxed">
            You get an address of its own for this property. Forward the channels’ confirmation mails to it: they bring
            guests’ names and addresses, which calendars do not have. The next page says how.
          </p>
        )}
        {refused && !url_error && refused.param !== 'property_id' ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}

const WAYS = [
  {
    value: 'calendar',
    label: 'A calendar link',
    icon: CalendarDays,
    text: 'Dates of every booking, every 15 minutes.',
  },
  { value: 'mail', label: 'Forwarded mail', icon: Mail, text: 'Names and addresses, as the mails come.' },
] as const;

function WayPicker({ value, onChange }: { value: string; onChange: (value: 'calendar' | 'mail') => void }) {
  const name = useId();
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium text-sm">How bookings come</legend>
      {WAYS.map(({ value: way, label, icon: Icon, text }) => (
        <label
          key={way}
          className={cn(
            'flex cursor-pointer items-start gap-3 rounded-lg border p-3 text-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-primary',
            value === way ? 'border-primary bg-tint' : 'border-line-strong hover:bg-muted',
          )}
        >
          <input type="radio" name={name} className="sr-only" checked={value === way} onChange={() => onChange(way)} />
          <Icon className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden />
          <span className="grid gap-0.5">
            <span className="font-medium">{label}</span>
            <span className="text-ink-soft text-xs leading-relaxed">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
