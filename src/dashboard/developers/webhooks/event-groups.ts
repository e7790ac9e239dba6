/** The event catalogue in groups, as the picker shows it. Pure. */
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '@/events/catalogue';

export interface EventGroup {
  label: string;
  types: { type: EventType; description: string }[];
}

const LABELS: readonly [prefix: string, label: string][] = [
  ['reservation.arrival_details_', 'Arrival details'],
  ['reservation.', 'Reservations'],
  ['certificate.', 'Certificates'],
  ['property.', 'Properties'],
  ['packet.', 'Packets'],
  ['sync_source.', 'Calendars'],
];

const labelOf = (type: EventType) => LABELS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'Other';

export const EVENT_GROUPS: readonly EventGroup[] = EVENT_TYPE_NAMES.reduce<EventGroup[]>((groups, type) => {
  const label = labelOf(type);
  const item = { type, description: EVENT_TYPES[type].replaceAll('`', '') };
  const group = groups.find((one) => one.label === label);
  if (group) group.types.push(item);
  else groups.push({ label, types: [item] });
  return groups;
}, []);

/** Every type, for a select. */
export const EVENT_OPTIONS = EVENT_TYPE_NAMES.map((type) => ({ value: type, label: type }));

/** What an endpoint hears of, in a few words. */
export function subscription(events: readonly string[]): string {
  if (events.includes('*')) return 'All events';
  return events.length === 1 ? (events[0] ?? '') : `${events.length} event types`;
}
