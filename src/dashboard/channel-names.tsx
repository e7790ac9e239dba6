'use client';
import { useTranslations } from 'use-intl/react';
import type { DashboardSyncSourceKind } from '@/modules/sync-sources/schemas';
import { useMe } from './shell/me';
import type { Reservation } from './types';

type Source = Reservation['source'];

/**
 * Returns a function that returns the name of a reservation's source as hosts know it. The operator
 * configures the names of channels.
 */
export function useReservationSourceName(): (source: Source) => string {
  const t = useTranslations('ui');
  const { channel_names } = useMe();
  return (source) => (source === 'direct' ? t('source_direct') : channel_names[source]);
}

export function ReservationSourceNameText({ source }: { source: Source }) {
  return useReservationSourceName()(source);
}

/**
 * Returns a function that returns the channel's name for a kind of calendar, or null when the kind
 * belongs to no channel.
 */
export function useChannelName(): (kind: DashboardSyncSourceKind) => string | null {
  const { channel_names } = useMe();
  return (kind) => {
    const channel = kind.replace(/_ical$/, '');
    return channel in channel_names ? channel_names[channel as keyof typeof channel_names] : null;
  };
}

/**
 * Returns a function that returns the name of a calendar or forwarding address as hosts know it,
 * such as "Airbnb calendar".
 */
export function useCalendarName(): (kind: DashboardSyncSourceKind) => string {
  const t = useTranslations('ui');
  const channelName = useChannelName();
  return (kind) => {
    const channel = channelName(kind);
    return channel
      ? t('source_calendar', { channel })
      : t(kind === 'forward_email' ? 'source_forwarded_mail' : 'source_other_calendar');
  };
}

export function CalendarKindLabel({ kind }: { kind: DashboardSyncSourceKind }) {
  return useCalendarName()(kind);
}
