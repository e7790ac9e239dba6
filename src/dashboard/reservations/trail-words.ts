import { useTranslations } from 'use-intl/react';
import type { TrailActor } from '@/modules/reservations/rules/timeline';

/** The changed fields that are shown to hosts, in this order. */
const FIELDS = [
  'guest_name',
  'guest_email',
  'guest_phone_last4',
  'locale',
  'checkin_date',
  'checkout_date',
  'packet_id',
] as const;

/**
 * Returns a readable name for an event type without a translation: `Some thing` for
 * `reservation.some_thing`.
 */
function readable(type: string): string {
  const words = (type.split('.').pop() ?? type).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns a function that describes an entry of the audit trail. For a change, it lists the changed
 * fields: `Changed: name, check-in`.
 */
export function useAuditTrailEntryDescriber() {
  const t = useTranslations('trail');
  return ({ type, fields = [] }: { type: string; fields?: readonly string[] }): string => {
    const changed = FIELDS.filter((field) => fields.includes(field)).map((field) => t(`field_${field}`));
    const isChange = type === 'reservation.updated' || type === 'guest.corrected';
    if (isChange && changed.length > 0) return t('changed', { fields: changed.join(', ') });
    const key = `event_${type.replaceAll('.', '_')}` as 'event_reservation_created';
    return t.has(key) ? t(key) : readable(type);
  };
}

/** Returns a function that names the author of an entry: "by Olga", "by the API key Production". */
export function useAuditTrailActorDescriber() {
  const t = useTranslations('trail');
  return ({ kind, name }: TrailActor): string => {
    if (kind === 'member' || kind === 'api_key') return name === null ? t('by_api') : t(`by_${kind}`, { name });
    return t(`by_${kind}`);
  };
}
