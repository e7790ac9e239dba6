'use client';
import { useTranslations } from 'use-intl/react';
import { getDateFormat } from '@/shared/language/formatters';
import { useFormattingLocale } from '../i18n/formats';
import { useViewerClock } from '../reader';
import { Tooltip } from './overlay/tooltip';
import { getBrowserTimeZone, getTimeZoneOrUtcIfUnsupported } from './zone';

const format = (value: string, zone: string, formats: string, options: Intl.DateTimeFormatOptions) =>
  getDateFormat(formats, { timeZone: zone, ...options }).format(new Date(value));

/**
 * Returns the zone of a property (UTC when null), or the reader's own zone when `zone` is
 * undefined.
 */
const zoneFor = (zone: string | null | undefined) =>
  zone === undefined ? getBrowserTimeZone() : getTimeZoneOrUtcIfUnsupported(zone);

/**
 * Formats an instant in `zone` for the locale `formats` (i18n/formats.ts): `24 Dec 2026, 15:00
 * CET`.
 */
const momentText = (value: string, formats: string, zone?: string | null, seconds?: boolean): string =>
  format(value, zoneFor(zone), formats, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  });

/** Shows an instant in `zone`, by default the reader's zone. The tooltip has the exact UTC time. */
export function DateTime({
  value,
  zone,
  seconds,
}: {
  value: string | null | undefined;
  zone?: string | null;
  seconds?: boolean;
}) {
  const reader = useViewerClock();
  const formats = useFormattingLocale();
  if (!value) return <span className="text-ink-soft">–</span>;
  const shown = zone === undefined ? reader.zone : getTimeZoneOrUtcIfUnsupported(zone);
  const text = momentText(value, formats, shown, seconds);
  return (
    <Tooltip text={`${value.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC · ${shown}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a pointer. */}
      <time dateTime={value} tabIndex={0} className="rounded-sm tabular-nums">
        {text}
      </time>
    </Tooltip>
  );
}

/** Like `DateTime`, but without a tooltip, for a line that has its own tooltip or link. */
export function DateTimeWithoutTooltip({ value, zone }: { value: string; zone?: string | null }) {
  const { zone: own } = useViewerClock();
  return <time dateTime={value}>{momentText(value, useFormattingLocale(), zone === undefined ? own : zone)}</time>;
}

/** Shows a calendar day, which has no time zone: `2026-12-24` is shown as `24 Dec 2026`. */
export function CalendarDay({ value, weekday }: { value: string; weekday?: boolean }) {
  const formats = useFormattingLocale();
  const text = format(`${value}T00:00:00Z`, 'UTC', formats, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(weekday ? { weekday: 'short' } : {}),
  });
  return (
    <time dateTime={value} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}

/** Shows a range of calendar days: `24 Dec 2026 to 28 Dec 2026`. */
export function CalendarDayRange({ from, to }: { from: string; to: string }) {
  const t = useTranslations('ui');
  return <>{t.rich('days', { from: () => <CalendarDay value={from} />, to: () => <CalendarDay value={to} /> })}</>;
}
