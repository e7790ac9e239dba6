/**
 * Formats dates and money for guests. Pure. Times are shown in the property's zone, and calendar
 * days are never converted.
 */
import { getDateFormat, getNumberFormat } from '../language/formatters';
import { formatMoneyText } from '../money/money-text';
import { type GuestLocale, getIntlLanguageTag } from './locale';

/**
 * Formats `2026-07-03` as “Friday, July 3, 2026”, in the guest's language. Returns text that is not
 * a calendar day unchanged.
 */
export function formatDay(date: string, locale: GuestLocale, style: 'full' | 'long' | 'medium' = 'full'): string {
  const instant = new Date(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(instant.getTime())) return date;
  return getDateFormat(getIntlLanguageTag(locale), { dateStyle: style, timeZone: 'UTC' }).format(instant);
}

/** Returns the parts of a calendar day, which the stay card formats separately. */
export function formatDateAsWeekdayDayAndMonth(
  date: string,
  locale: GuestLocale,
): { weekday: string; day: string; month: string } {
  const instant = new Date(`${date}T00:00:00Z`);
  const part = (options: Intl.DateTimeFormatOptions) =>
    getDateFormat(getIntlLanguageTag(locale), { ...options, timeZone: 'UTC' }).format(instant);
  return {
    weekday: part({ weekday: 'long' }),
    day: part({ day: 'numeric' }),
    month: part({ month: 'long', year: 'numeric' }),
  };
}

/**
 * Formats a time with its zone's name, because evidence must be unambiguous about the hour. An
 * unknown zone means UTC.
 */
export function formatInstant(iso: string, locale: GuestLocale, timezone: string | null): string {
  const instant = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  };
  try {
    return getDateFormat(getIntlLanguageTag(locale), { ...options, timeZone: timezone ?? 'UTC' }).format(instant);
  } catch {
    return getDateFormat(getIntlLanguageTag(locale), { ...options, timeZone: 'UTC' }).format(instant);
  }
}

/** Returns the number of nights between two calendar days, at least 0. */
export function countNightsBetween(checkin_date: string, checkout_date: string): number {
  const days = (Date.parse(`${checkout_date}T00:00:00Z`) - Date.parse(`${checkin_date}T00:00:00Z`)) / 86_400_000;
  return Number.isFinite(days) ? Math.max(0, Math.round(days)) : 0;
}

/**
 * Formats an amount in the currency's smallest unit: 5000 USD is “$50”, 5050 USD “$50.50”, 5000 JPY
 * “¥5,000”. An unknown currency is shown by its code.
 */
export function formatMoney(amount: number, currency: string, locale: GuestLocale): string {
  const tag = getIntlLanguageTag(locale);
  try {
    return formatMoneyText(amount, currency, tag, { short: true });
  } catch {
    return `${getNumberFormat(tag).format(amount / 100)} ${currency}`;
  }
}
