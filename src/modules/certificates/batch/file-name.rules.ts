/** File names for downloaded certificates and dispute packs. Pure. */
import { getLocalDate } from '@/shared/zoned-time';

/**
 * Control characters, characters that file systems refuse, and characters that change the text
 * direction.
 */
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MAX_LENGTH = 80;

const sanitize = (text: string) =>
  [...text.replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim()].slice(0, MAX_LENGTH).join('').trim();

interface Signed {
  signed_at: Date;
  signer_name: string;
}

/**
 * Returns a name like `2026-11-21 Grace Hopper, Casa Azul.pdf`, with the day of signing in the
 * property's time zone.
 */
export function buildCertificateFileName(
  { signed_at, signer_name }: Signed,
  property: { name: string; timezone: string | null } | null | undefined,
): string {
  const names = [signer_name, property?.name ?? ''].map(sanitize).filter(Boolean);
  return `${getLocalDate(signed_at, property?.timezone ?? null)} ${names.join(', ')}`.trim().concat('.pdf');
}

/**
 * Returns a name like `Dispute Casa Azul 2026-11-21 Hopper.zip`, from the sealed property name,
 * check-in day and surname.
 */
export function buildDisputePackFileName(
  stay: { property: { name: string }; reservation: { checkin_date: string; guest_name: string } } | null,
  without: string,
): string {
  const surname = stay?.reservation.guest_name.trim().split(/\s+/).at(-1) ?? '';
  const parts = stay ? [stay.property.name, stay.reservation.checkin_date, surname] : [without];
  return `${['Dispute', ...parts.map(sanitize).filter(Boolean)].join(' ')}.zip`;
}

/**
 * Returns a function that appends a number to repeated names, because a guest can sign twice on one
 * day.
 */
export function createFileNameDeduplicator(): (name: string) => string {
  const used = new Map<string, number>();
  return (name) => {
    const key = name.toLowerCase();
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return count === 1 ? name : name.replace(/\.pdf$/, ` (${count}).pdf`);
  };
}
