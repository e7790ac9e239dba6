/** Converts the certificate list's filters from the URL to the API's input. Pure. */
import type { CertificateFilters } from '@/modules/certificates/host.schemas';

export const CERTIFICATE_FILTER_NAMES = ['q', 'property', 'from', 'to'] as const;
type Values = Partial<Record<(typeof CERTIFICATE_FILTER_NAMES)[number], string>>;

/**
 * Returns the start of the day `later` days after `day`, in the reader's time zone. Returns
 * undefined when `day` is not a day.
 */
function startOf(day: string | undefined, later = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!match) return undefined;
  const moment = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/**
 * Returns the input of `certificates.list`. Days are in the reader's time zone, and `to` is
 * included.
 */
export function buildCertificateFilters({ q, property, from, to }: Values): CertificateFilters {
  const [first, end] = [startOf(from), startOf(to, 1)];
  return {
    ...(q && { search: q.slice(0, 200) }),
    ...(property && { property }),
    ...(first && { 'signed_at.gte': first }),
    ...(end && { 'signed_at.lt': end }),
  };
}
