/** Formats dates, money and names for the certificate, in the guest's language. */

import { type GuestLocale, getIntlLanguageTag } from '@/shared/guest-text/locale';
import { getDateFormat } from '@/shared/language/formatters';
import { formatMoneyText } from '@/shared/money/money-text';

function usableZone(timezone: string | null): string | null {
  if (!timezone) return null;
  try {
    getDateFormat('en', { timeZone: timezone });
    return timezone;
  } catch {
    return null;
  }
}

/** Formats a calendar day such as `2026-03-01` as a long date, without time zones. */
export function formatDay(day: string, locale: GuestLocale): string {
  return getDateFormat(getIntlLanguageTag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** Formats an instant as `2026-03-01 13:03:22.123 UTC` in every language. */
export function formatUtc(instant: string): string {
  const iso = new Date(instant).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`;
}

/** Formats an instant in the property's time zone. Returns null for an unknown zone. */
export function formatInstantInTimeZone(instant: string, locale: GuestLocale, timezone: string | null): string | null {
  const zone = usableZone(timezone);
  if (!zone) return null;
  const text = getDateFormat(getIntlLanguageTag(locale), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: zone,
  }).format(new Date(instant));
  return `${text} (${zone})`;
}

/** Formats the day of an instant in the property's time zone, or in UTC without one. */
export function formatDayOfInstant(instant: string, locale: GuestLocale, timezone: string | null): string {
  const timeZone = usableZone(timezone) ?? 'UTC';
  return getDateFormat(getIntlLanguageTag(locale), { dateStyle: 'long', timeZone }).format(new Date(instant));
}

/**
 * Formats an amount that is given in the currency's smallest unit: 4500 for USD is $45.00, and 4500
 * for JPY is ¥4,500.
 */
export function formatMoney(minor_units: number, currency: string, locale: GuestLocale): string {
  return formatMoneyText(minor_units, currency, getIntlLanguageTag(locale));
}

/** Returns the language's name in that language, such as `Deutsch`. */
export function getLanguageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
