'use client';
import { useTranslations } from 'use-intl/react';
import type { EventType } from '@/events/catalogue';

type Underscored<Name> = Name extends `${infer Start}.${infer Rest}` ? `${Start}_${Underscored<Rest>}` : Name;

/** Returns the message key of a type: `reservation_created` for `reservation.created`. */
export const getEventTypeTranslationKey = (type: EventType) => type.replaceAll('.', '_') as Underscored<EventType>;

/** Returns a function that explains an event type in the host's language. */
export function useEventTypeMeaning(): (type: EventType) => string {
  const t = useTranslations('event_types');
  return (type) => t(`means_${getEventTypeTranslationKey(type)}`);
}
