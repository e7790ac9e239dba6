/** Groups the event catalogue for the picker, with labels. Pure. */
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';

/**
 * The type prefixes of each group, longer prefixes first. The group's label is the message
 * `group_…`.
 */
const GROUPS = [
  ['reservation.arrival_details_', 'arrival_details'],
  ['reservation.', 'reservations'],
  ['certificate.', 'certificates'],
  ['property.', 'properties'],
  ['packet.', 'packets'],
  ['sync_source.', 'calendars'],
] as const;

export interface EventTypeGroup {
  name: (typeof GROUPS)[number][1] | 'other';
  types: EventType[];
}

export const EVENT_TYPE_GROUPS: readonly EventTypeGroup[] = EVENT_TYPE_NAMES.reduce<EventTypeGroup[]>(
  (groups, type) => {
    const name = GROUPS.find(([beginning]) => type.startsWith(beginning))?.[1] ?? 'other';
    const group = groups.find((one) => one.name === name);
    if (group) group.types.push(type);
    else groups.push({ name, types: [type] });
    return groups;
  },
  [],
);

/** Every event type, as options of a select. */
export const EVENT_TYPE_OPTIONS = EVENT_TYPE_NAMES.map((type) => ({ value: type, label: type }));

/** Summarizes the events that an endpoint receives. */
export function describeEventSubscription(events: readonly string[], t: NamespaceTranslator<'webhooks'>): string {
  if (events.includes('*')) return t('all_events');
  return events.length === 1 ? (events[0] ?? '') : t('event_types', { count: events.length });
}
