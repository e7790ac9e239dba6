'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CalendarDays, Mail } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useChannelName } from '../channel-names';
import { PROPERTIES_INPUT } from '../initial-queries';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { FeedPreview } from './feed-preview';
import { CALENDAR_KINDS, type CalendarKind } from './labels';
import { TreatClosedDatesAsBlockedSwitch, UnrecognizedEntryPolicySelect } from './policy-select';

interface ConnectDialogProps {
  onClose: () => void;
  onConnected: (source: SyncSource) => void;
}

const FORM = 'connect';

/** Connects a calendar after a preview, or creates a forwarding address. */
export function ConnectCalendarDialog({ onClose, onConnected }: ConnectDialogProps) {
  const t = useTranslations('calendars');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const options = (properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const [way, setWay] = useState<Way>('calendar');
  const [chosen, setChosen] = useState('');
  const [kind, setKind] = useState<CalendarKind>('channel_a_ical');
  const [url, setUrl] = useState('');
  const [closures, setClosures] = useState(false);
  const [otherwise, setOtherwise] = useState<SyncSource['reading']['otherwise']>('booking');
  const [doubtful, setDoubtful] = useState<SyncSource['reading']['doubtful']>();
  const [missing, setMissing] = useState<'property' | 'url' | null>(null);
  const preview = useMutation(trpc.sync_sources.preview.mutationOptions({ meta: { handlesError: true } }));
  const connect = useMutation(
    trpc.sync_sources.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (source) => {
        toast.success(t(way === 'calendar' ? 'the_calendar_is_connected' : 'the_address_is_ready'));
        onConnected(source);
      },
    }),
  );
  const property_id = chosen || (options.length === 1 ? (options[0]?.value ?? '') : '');
  const feed = {
    property_id,
    kind,
    feed_url: url.trim(),
    closures_are_blocks: closures,
    ...(kind === 'other_ical' && { reading: { otherwise, rules: [], ...(doubtful && { doubtful }) } }),
  };
  const seen = preview.data && !preview.isPending ? preview.data : null;
  const ready = way === 'mail' || seen?.ok === true;
  const channelName = useChannelName();
  /** Discards the preview after an edit, so that the saved calendar is always the previewed one. */
  const changed = () => {
    setDoubtful(undefined);
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
  /** Stores the host's answer about ambiguous entries, and loads the preview again. */
  const answer = (said: 'block' | 'booking') => {
    setDoubtful(said);
    preview.mutate({ ...feed, reading: { otherwise, doubtful: said, rules: [] } });
  };
  const failure = preview.error ?? connect.error;
  const refused = failure ? toDisplayableError(failure) : null;
  const url_error =
    missing === 'url' ? t('paste_the_calendars_link') : refused?.param === 'feed_url' ? refused.message : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('connect_a_source_of_bookings')}
      description={t('bookings_become_reservations')}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={properties.isPending || preview.isPending || connect.isPending}>
          {t(way === 'mail' ? 'make_the_address' : ready ? 'connect_the_calendar' : 'look_at_the_calendar')}
        </Button>
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
          label={t('property')}
          error={
            missing === 'property' && !property_id
              ? t('choose_the_property')
              : refused?.param === 'property_id'
                ? refused.message
                : undefined
          }
          hint={properties.data && options.length === 0 ? t('create_a_property_first') : undefined}
        >
          {(control) => (
            <Select
              {...control}
              value={property_id}
              placeholder={t('choose')}
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
            <Field label={t('channel')} hint={t(`find_${kind}`)}>
              {(control) => (
                <Select
                  {...control}
                  value={kind}
                  options={CALENDAR_KINDS.map((value) => ({
                    value,
                    label: channelName(value) ?? t('choose_other_ical'),
                  }))}
                  onValueChange={(value) => {
                    setKind(value as CalendarKind);
                    changed();
                  }}
                />
              )}
            </Field>
            <Field label={t('calendar_link')} hint={t('it_usually_ends_in_ics')} error={url_error}>
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
              <TreatClosedDatesAsBlockedSwitch
                checked={closures}
                onChange={(value) => {
                  setClosures(value);
                  changed();
                }}
              />
            ) : null}
            {kind === 'other_ical' ? (
              <UnrecognizedEntryPolicySelect
                value={otherwise}
                onChange={(value) => {
                  setOtherwise(value);
                  changed();
                }}
              />
            ) : null}
            <div aria-live="polite">{seen ? <FeedPreview preview={seen} onDoubtful={answer} /> : null}</div>
          </>
        ) : (
          <p className="text-ink-soft text-sm leading-relaxed">{t('you_get_an_address_of_its_own')}</p>
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

/**
 * The ways to add reservations, with their icons. The texts are the messages `way_…` and
 * `brings_…`.
 */
const WAYS = { calendar: CalendarDays, mail: Mail };
type Way = keyof typeof WAYS;

function WayPicker({ value, onChange }: { value: Way; onChange: (value: Way) => void }) {
  const t = useTranslations('calendars');
  const name = useId();
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium text-sm">{t('how_bookings_come')}</legend>
      {(Object.entries(WAYS) as [Way, typeof Mail][]).map(([way, Icon]) => (
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
            <span className="font-medium">{t(`way_${way}`)}</span>
            <span className="text-ink-soft text-xs leading-relaxed">{t(`brings_${way}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
