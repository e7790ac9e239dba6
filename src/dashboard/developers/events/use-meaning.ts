'use client';
import { useTranslations } from 'use-intl/react';
import type { EventType } from '@/events/catalogue';

type Underscored<Name> = Name extends `${infer Start}.${infer Rest}` ? `${Start}_${Underscored<Rest>}` : Name;

/** `reservation.created` as the messages have it: `reservation_created`. */
export const keyOf = (type: EventType) => type.replaceAll('.', '_') as Underscored<EventType>;

/** What a type of event means, in the host's language. */
export function useMeaning(): (type: EventType) => string {
  const t = useTranslations('event_types');
  return (type) => t(`means_${keyOf(type)}`);
}
