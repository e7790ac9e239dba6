'use client';
import { useTranslations } from 'use-intl/react';
import { useFormattingLocale } from '../i18n/formats';
import { useViewerClock } from '../reader';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * Formats the time since a moment: `2 days ago`, `5 minutes ago`, `just now`. Clocks may differ, so
 * a moment in the future is also `just now`.
 */
export function formatTimeSince(
  moment: string,
  now: Date,
  { formats, just_now }: { formats: string; just_now: string },
): string {
  const words = new Intl.RelativeTimeFormat(formats, { numeric: 'always' });
  const passed = now.getTime() - Date.parse(moment);
  for (const [unit, length] of UNITS) if (passed >= length) return words.format(-Math.floor(passed / length), unit);
  return just_now;
}

/** Returns a function that formats the time since a moment, in the reader's language. */
export function useFormatTimeSince(): (moment: string) => string {
  const t = useTranslations('ui');
  const formats = useFormattingLocale();
  const { now } = useViewerClock();
  return (moment) => formatTimeSince(moment, now(), { formats, just_now: t('just_now') });
}
