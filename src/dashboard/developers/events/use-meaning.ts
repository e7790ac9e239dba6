'use client';
import { useTranslations } from 'use-intl/react';
import type { EventType } from '@/events/catalogue';

type Underscored<Name> = Name extends `${infer Start}.${infer Rest}` ? `${Start}_${Underscored<Rest>}` : Name;

/** The message key of a type: `reservation.created` becomes `reservation_created`. */
export const getEventMessageKey = (type: EventType) => type.replaceAll('.', '_') as Underscored<EventType>;

/** Returns the explanation of an event type in the host's language. */
export function useEventTypeMeaning(): (type: EventType) => string {
  const t = useTranslations('event_types');
  return (type) => t(`means_${getEventMessageKey(type)}`);
}
