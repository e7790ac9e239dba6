/** The text of the 30-day activity chart, and the colours of its series. Pure. */

import { getDateFormat } from '@/shared/language/formatters';
import type { NamespaceTranslator } from '../i18n/namespace-translator';

export interface DailyReservationCounts {
  day: string;
  created: number;
  sent: number;
  signed: number;
}

export const ACTIVITY_CHART_SERIES = [
  { key: 'created', color: 'var(--ink-soft)' },
  { key: 'sent', color: 'var(--info)' },
  { key: 'signed', color: 'var(--success)' },
] as const;

/** Describes the chart in a sentence, for users who cannot see it. */
export function describeActivityChart(
  days: readonly DailyReservationCounts[],
  t: NamespaceTranslator<'home'>,
  formats: string,
): string {
  const sum = (key: 'created' | 'sent' | 'signed') => days.reduce((total, day) => total + day[key], 0);
  const sums = { created: sum('created'), sent: sum('sent'), signed: sum('signed') };
  if (sums.created + sums.sent + sums.signed === 0) return t('nothing_yet');
  const best = days.reduce((top, day) => (day.signed > top.signed ? day : top), days[0] as DailyReservationCounts);
  if (best.signed < 2) return t('in_all', sums);
  return t('in_all_most', { ...sums, most: best.signed, day: formatDayAndMonth(best.day, formats) });
}

/** Formats a day: `24 Dec` for `2026-12-24`. */
export const formatDayAndMonth = (day: string, formats: string): string =>
  getDateFormat(formats, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));

/**
 * Returns a chart scale for whole numbers up to `most`: at most five grid lines at round values
 * from 0, and the top value.
 */
export function buildChartScale(most: number): { top: number; lines: number[] } {
  const wanted = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= wanted) ?? power;
  const count = Math.max(1, Math.ceil(most / step));
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, at) => at * step) };
}
