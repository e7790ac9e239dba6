'use client';
import { SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { useProperties } from '../properties/queries';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { countFilters, type ReservationFilters } from './filters';
import { SOURCE, STATUS } from './labels';

const ANY = 'any';

interface FilterBarProps {
  filters: ReservationFilters;
  /** Called without a cursor: another filter is another list. */
  onChange: (filters: ReservationFilters) => void;
}

export function ReservationFilterBar({ filters, onChange }: FilterBarProps) {
  const properties = useProperties();
  // On a phone the filters would push the list out of sight.
  const [open, setOpen] = useState(false);
  const count = countFilters(filters);
  const { after: _after, before: _before, ...current } = filters;
  const set = (change: Partial<ReservationFilters>) => onChange({ ...current, ...change });
  const choose = (name: 'status' | 'source' | 'property') => (value: string) =>
    set({ [name]: value === ANY ? undefined : value });
  return (
    <search aria-label="Filter reservations" className="border-b px-4 py-3">
      <Button
        variant="secondary"
        className="w-full sm:hidden"
        aria-expanded={open}
        aria-controls="reservation-filters"
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden />
        Filters
        {count > 0 ? <Badge tone="primary">{count}</Badge> : null}
      </Button>
      <div
        id="reservation-filters"
        className={cn('flex-wrap items-end gap-3 sm:mt-0 sm:flex', open ? 'mt-3 flex' : 'hidden')}
      >
        <Labelled label="Status">
          <Select
            aria-label="Status"
            className="sm:w-36"
            value={current.status ?? ANY}
            onValueChange={choose('status')}
            options={[
              { value: ANY, label: 'Any status' },
              ...RESERVATION_STATUSES.map((status) => ({ value: status, label: STATUS[status].label })),
            ]}
          />
        </Labelled>
        <Labelled label="Property">
          <Select
            aria-label="Property"
            className="sm:w-44"
            value={current.property ?? ANY}
            onValueChange={choose('property')}
            options={[
              { value: ANY, label: 'Any property' },
              ...(properties.data?.data ?? []).map((property) => ({ value: property.id, label: property.name })),
            ]}
          />
        </Labelled>
        <Labelled label="Source">
          <Select
            aria-label="Source"
            className="sm:w-32"
            value={current.source ?? ANY}
            onValueChange={choose('source')}
            options={[
              { value: ANY, label: 'Any source' },
              ...RESERVATION_SOURCES.map((source) => ({ value: source, label: SOURCE[source] })),
            ]}
          />
        </Labelled>
        <Labelled label="Check-in from">
          <Input
            type="date"
            aria-label="Check-in from"
            className="sm:w-40"
            value={current.from ?? ''}
            max={current.to}
            onChange={(event) => set({ from: event.target.value || undefined })}
          />
        </Labelled>
        <Labelled label="to">
          <Input
            type="date"
            aria-label="Check-in to"
            className="sm:w-40"
            value={current.to ?? ''}
            min={current.from}
            onChange={(event) => set({ to: event.target.value || undefined })}
          />
        </Labelled>
        {count > 0 ? (
          <Button variant="ghost" onClick={() => onChange({})}>
            <X aria-hidden />
            Clear
          </Button>
        ) : null}
      </div>
    </search>
  );
}

/** The visible word above a control that names itself. */
const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid w-full gap-1 min-[28rem]:w-[calc(50%-0.375rem)] sm:w-auto">
    <span aria-hidden className="text-ink-soft text-xs">
      {label}
    </span>
    {children}
  </div>
);
