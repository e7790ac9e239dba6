'use client';
import { X } from 'lucide-react';
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { useProperties } from '../properties/queries';
import { Button } from '../ui/button';
import { Label } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { isFiltered, type ReservationFilters } from './filters';
import { SOURCE, STATUS } from './labels';

const ANY = 'any';

interface FilterBarProps {
  filters: ReservationFilters;
  /** Called without a cursor: another filter is another list. */
  onChange: (filters: ReservationFilters) => void;
}

export function ReservationFilterBar({ filters, onChange }: FilterBarProps) {
  const properties = useProperties();
  const { after: _after, before: _before, ...current } = filters;
  const set = (change: Partial<ReservationFilters>) => onChange({ ...current, ...change });
  const choose = (name: 'status' | 'source' | 'property') => (value: string) =>
    set({ [name]: value === ANY ? undefined : value });
  return (
    <search aria-label="Filter reservations" className="flex flex-wrap items-end gap-3 border-b px-4 py-3">
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
      {isFiltered(filters) ? (
        <Button variant="ghost" onClick={() => onChange({})}>
          <X aria-hidden />
          Clear
        </Button>
      ) : null}
    </search>
  );
}

const Labelled = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div className="grid w-full gap-1 min-[28rem]:w-[calc(50%-0.375rem)] sm:w-auto">
    <Label className="font-normal text-ink-soft text-xs" aria-hidden>
      {label}
    </Label>
    {children}
  </div>
);
