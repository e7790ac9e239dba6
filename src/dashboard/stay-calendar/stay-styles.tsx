/**
 * The appearance of a stay in the calendar. Its progress has a colour, a line style and an icon, so
 * that colour-blind users can recognize it.
 */

import { Ban, Check, CircleDashed, Clock, type LucideIcon, Mail, MessageCircle, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { getDateFormat } from '@/shared/language/formatters';
import { useFormattingLocale } from '../i18n/formats';
import { isReservationUnsent } from '../reservations/status-words';
import type { StayCalendarStay } from '../types';

interface Look {
  icon: LucideIcon;
  className: string;
}

export const STAY_STYLES = {
  signed: { icon: Check, className: 'border-success/50 bg-success-tint text-success' },
  waiting: { icon: Mail, className: 'border-info/50 bg-info-tint text-info' },
  unsent: { icon: CircleDashed, className: 'border-ink-soft border-dashed bg-surface text-ink' },
  expired: {
    icon: Clock,
    className: 'border-warning/50 border-dotted bg-warning-tint text-warning',
  },
} satisfies Record<string, Look>;
export type StayStyleName = keyof typeof STAY_STYLES;

export const DOUBLE_BOOKING_STAY_STYLE: Look = {
  icon: TriangleAlert,
  className: 'border-danger bg-danger-tint text-danger outline-2 outline-danger -outline-offset-2',
};
export const GUEST_REPLIED_STYLE = { icon: MessageCircle };

/** The hatched appearance of blocked nights. */
export const BLOCKED_NIGHTS_STYLE: Look = {
  icon: Ban,
  className:
    'border-line-strong bg-[repeating-linear-gradient(135deg,var(--muted)_0_6px,var(--line)_6px_8px)] text-ink-soft',
};

export function getStayStyle(stay: Pick<StayCalendarStay, 'status'>): StayStyleName {
  if (stay.status === 'signed' || stay.status === 'expired') return stay.status;
  return isReservationUnsent(stay) ? 'unsent' : 'waiting';
}

const ALL = { ...STAY_STYLES, conflict: DOUBLE_BOOKING_STAY_STYLE, blocked: BLOCKED_NIGHTS_STYLE };

/** Returns functions that describe a stay in the calendar. */
export function useStayFormatters() {
  const t = useTranslations('stay_calendar');
  const formats = useFormattingLocale();
  return useMemo(() => {
    const days = getDateFormat(formats, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    /** Formats the dates of a stay: `24 Dec – 3 Jan`. */
    const nights = ({ checkin_date, checkout_date }: { checkin_date: string; checkout_date: string }): string =>
      days.formatRange(new Date(checkin_date), new Date(checkout_date));
    /** Describes everything about a stay, for screen readers. */
    const stay = (one: StayCalendarStay): string =>
      [
        one.guest_name,
        nights(one),
        t(`look_${getStayStyle(one)}`),
        ...(one.conflict ? [t('look_conflict')] : []),
        ...(one.guest_replied ? [t('look_replied')] : []),
      ].join(', ');
    return { nights, stay };
  }, [t, formats]);
}

/** Returns functions that format months and days, which are given as days since 1970. */
export function useDayFormatters() {
  const formats = useFormattingLocale();
  return useMemo(() => {
    const said = (options: Intl.DateTimeFormatOptions) => {
      const format = getDateFormat(formats, { ...options, timeZone: 'UTC' });
      return (day: number) => format.format(day * 86_400_000);
    };
    return {
      month: said({ month: 'long', year: 'numeric' }),
      day: said({ weekday: 'long', day: 'numeric', month: 'short' }),
      weekday: said({ weekday: 'narrow' }),
    };
  }, [formats]);
}

export function CalendarLegend() {
  const t = useTranslations('stay_calendar');
  return (
    <ul aria-label={t('legend')} className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-xs">
      {Object.entries(ALL).map(([name, { icon: Icon, className }]) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={`grid h-4 w-6 place-items-center rounded-sm border ${className}`}>
            <Icon className="size-3" />
          </span>
          {t(`look_${name as keyof typeof ALL}`)}
        </li>
      ))}
    </ul>
  );
}
