'use client';
import { useTranslations } from 'use-intl/react';
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { MultiSelect } from '../../ui/form/multi-select';
import { ORDERED_RESERVATION_STATUSES } from '../labels';
import { UNSIGNED_STATUSES } from '../status-words';

type Status = (typeof RESERVATION_STATUSES)[number];

interface StatusSelectProps {
  values: readonly Status[];
  onChange: (statuses: readonly Status[]) => void;
  className?: string;
}

/** A select for statuses, with a group of all unsigned statuses. */
export const StatusSelect = ({ onChange, ...props }: StatusSelectProps) => {
  const t = useTranslations('reservations');
  return (
    <MultiSelect
      {...props}
      label={t('status')}
      any={t('any_status')}
      groups={[{ label: t('not_signed'), values: UNSIGNED_STATUSES }]}
      options={ORDERED_RESERVATION_STATUSES.map((status) => ({ value: status, label: t(`status_${status}`) }))}
      onChange={(values) => onChange(ORDERED_RESERVATION_STATUSES.filter((status) => values.includes(status)))}
    />
  );
};
