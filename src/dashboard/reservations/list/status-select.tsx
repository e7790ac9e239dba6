'use client';
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { MultiSelect } from '../../ui/form/multi-select';
import { STATUS, STATUSES } from '../labels';
import { NOT_SIGNED } from '../status-words';

type Status = (typeof RESERVATION_STATUSES)[number];

interface StatusSelectProps {
  values: readonly Status[];
  onChange: (statuses: readonly Status[]) => void;
  className?: string;
}

/** Any of the statuses; those in which a signature is still missing under one name. */
export const StatusSelect = ({ onChange, ...props }: StatusSelectProps) => (
  <MultiSelect
    {...props}
    label="Status"
    any="Any status"
    groups={[{ label: 'Not signed', values: NOT_SIGNED }]}
    options={STATUSES.map((status) => ({ value: status, label: STATUS[status].label }))}
    onChange={(values) => onChange(STATUSES.filter((status) => values.includes(status)))}
  />
);
