import { useTranslations } from 'use-intl/react';

/** What a host is told of that was changed, in this order. */
const FIELDS = ['guest_name', 'guest_email', 'locale', 'checkin_date', 'checkout_date', 'packet_id'] as const;

/** `reservation.some_thing` -> `Some thing`, for types there are no words for. */
function readable(type: string): string {
  const words = (type.split('.').pop() ?? type).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What an entry of the trail says to a host; of a change what it touched, `Changed: name, check-in`. */
export function useTrailWords() {
  const t = useTranslations('trail');
  return ({ type, fields = [] }: { type: string; fields?: readonly string[] }): string => {
    const changed = FIELDS.filter((field) => fields.includes(field)).map((field) => t(`field_${field}`));
    if (type === 'reservation.updated' && changed.length > 0) return t('changed', { fields: changed.join(', ') });
    const key = `event_${type.replaceAll('.', '_')}` as 'event_reservation_created';
    return t.has(key) ? t(key) : readable(type);
  };
}
