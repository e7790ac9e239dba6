'use client';
import { useQuery } from '@tanstack/react-query';
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../../channel-names';
import type en from '../../i18n/messages/en.json';
import { PROPERTIES_INPUT } from '../../initial-queries';
import type { useListUrl } from '../../list/list-url';
import { useTRPC } from '../../trpc';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { Input } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { RESERVATION_SOURCE_FILTER_VALUES } from '../labels';
import {
  countSetReservationFilters,
  formatStatusFilter,
  RESERVATION_FILTER_NAMES,
  RESERVATION_SORT_ORDERS,
  type ReservationFilters,
  type ReservationSortOrder,
} from './filters';
import { StatusSelect } from './status-select';

const ANY = 'any';
const TYPING_MS = 250;
const NO_FILTERS = Object.fromEntries(
  RESERVATION_FILTER_NAMES.filter((name) => name !== 'q' && name !== 'sort').map((name) => [name, undefined]),
);

interface FilterBarProps {
  filters: ReservationFilters;
  /** The result of `useListUrl`. */
  list: Pick<ReturnType<typeof useListUrl<(typeof RESERVATION_FILTER_NAMES)[number]>>, 'set' | 'type'>;
  views: ReactNode;
}

export function ReservationFilterBar({ filters: current, list: { set, type }, views }: FilterBarProps) {
  const t = useTranslations('reservations');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  // Filters are collapsed on a phone, where they would push the list out of sight.
  const [open, setOpen] = useState(false);
  const count = countSetReservationFilters(current);
  const sourceName = useReservationSourceName();
  const choose = (name: 'source' | 'property' | 'attention' | 'sort') => (value: string) =>
    set({ [name]: value === ANY ? undefined : value });
  const clear = () => set(NO_FILTERS);
  return (
    <search aria-label={t('filter_reservations')} className="border-b px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={current.q ?? ''} onChange={(q) => type({ q: q || undefined })} />
        <Select
          aria-label={t('order')}
          className="flex-1 sm:w-40 sm:flex-none"
          value={current.sort ?? '-created'}
          onValueChange={choose('sort')}
          options={RESERVATION_SORT_ORDERS.map((sort) => ({ value: sort, label: t(SORT_LABELS[sort]) }))}
        />
        {views}
        <Button
          variant="secondary"
          className="flex-1! sm:hidden"
          aria-expanded={open}
          aria-controls="reservation-filters"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden />
          {t('filters')}
          {count > 0 ? <Badge tone="primary">{count}</Badge> : null}
        </Button>
        {count > 0 ? (
          <Button variant="ghost" className={open ? undefined : 'max-sm:hidden'} onClick={clear}>
            <X aria-hidden />
            {t('clear')}
          </Button>
        ) : null}
      </div>
      <div
        id="reservation-filters"
        className={cn('mt-3 flex-wrap items-end gap-3 sm:flex xl:flex-nowrap xl:gap-2', open ? 'flex' : 'hidden')}
      >
        <Labelled label={t('status')}>
          <StatusSelect
            className="sm:w-36 xl:w-full"
            values={current.status ?? []}
            onChange={(statuses) => set({ status: formatStatusFilter(statuses) || undefined })}
          />
        </Labelled>
        <Labelled label={t('property')}>
          <Select
            aria-label={t('property')}
            className="sm:w-36 xl:w-full"
            value={current.property ?? ANY}
            onValueChange={choose('property')}
            options={[
              { value: ANY, label: t('any_property') },
              ...(properties.data?.data ?? []).map((property) => ({ value: property.id, label: property.name })),
            ]}
          />
        </Labelled>
        <Labelled label={t('source')}>
          <Select
            aria-label={t('source')}
            className="sm:w-32 xl:w-full"
            value={current.source ?? ANY}
            onValueChange={choose('source')}
            options={[
              { value: ANY, label: t('any_source') },
              ...RESERVATION_SOURCE_FILTER_VALUES.map((source) => ({ value: source, label: sourceName(source) })),
            ]}
          />
        </Labelled>
        <Labelled label={t('arrives')}>
          <Select
            aria-label={t('arrives')}
            className="sm:w-32 xl:w-full"
            value={current.arrives ?? ANY}
            onValueChange={(value) =>
              set({ arrives: value === ANY ? undefined : value, from: undefined, to: undefined })
            }
            options={[
              { value: ANY, label: t('any_day') },
              { value: 'today', label: t('today') },
              { value: 'week', label: t('in_7_days') },
              { value: 'month', label: t('in_30_days') },
            ]}
          />
        </Labelled>
        <Labelled label={t('check_in_from')}>
          <Input
            type="date"
            aria-label={t('check_in_from')}
            className="sm:w-36 xl:w-full"
            value={current.from ?? ''}
            max={current.to}
            onChange={(event) => set({ arrives: undefined, from: event.target.value || undefined })}
          />
        </Labelled>
        <Labelled label={t('to')}>
          <Input
            type="date"
            aria-label={t('check_in_to')}
            className="sm:w-36 xl:w-full"
            value={current.to ?? ''}
            min={current.from}
            onChange={(event) => set({ arrives: undefined, to: event.target.value || undefined })}
          />
        </Labelled>
        <Labelled label={t('waits_for_you')}>
          <Select
            aria-label={t('waits_for_you')}
            className="sm:w-36 xl:w-full"
            value={current.attention ?? ANY}
            onValueChange={choose('attention')}
            options={[
              { value: ANY, label: t('anything') },
              { value: 'guest_replied', label: t('guest_asks') },
              { value: 'address_missing', label: t('no_address') },
              { value: 'same_nights', label: t('same_nights_as_another') },
              { value: 'dates_changed', label: t('dates_changed') },
            ]}
          />
        </Labelled>
      </div>
    </search>
  );
}

const SORT_LABELS: Record<ReservationSortOrder, keyof (typeof en)['reservations']> = {
  '-created': 'newest_first',
  created: 'oldest_first',
  checkin: 'check_in_first',
  '-checkin': 'check_in_last',
  guest: 'guest_a_to_z',
  '-guest': 'guest_z_to_a',
};

/**
 * The search field. Searches when typing pauses. When a link or the Back button changes the URL,
 * the field shows the URL's text.
 */
function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useTranslations('reservations');
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      latest.current(wanted);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="relative min-w-0 grow basis-full sm:basis-60">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-soft" aria-hidden />
      <Input
        type="search"
        data-search-field
        aria-label={t('search_reservations')}
        placeholder={t('guest_e_mail_or_booking_code')}
        autoComplete="off"
        className="pl-9"
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

/** Shows a label above a control that already has an accessible name. */
const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid w-full gap-1 min-[28rem]:w-[calc(50%-0.375rem)] sm:w-auto xl:min-w-0 xl:flex-1 xl:has-[[type=date]]:min-w-34">
    <span aria-hidden className="text-ink-soft text-xs">
      {label}
    </span>
    {children}
  </div>
);
