/** What a certificate's file is called where a person keeps it. Pure. */
import { localDate } from '@/shared/zoned-time';

/** Signs that a file system refuses, controls, and what turns the direction of the text around it. */
const REFUSED = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const LONGEST = 80;

const plain = (text: string) =>
  [...text.replace(REFUSED, ' ').replace(/\s+/g, ' ').trim()].slice(0, LONGEST).join('').trim();

interface Signed {
  signed_at: Date;
  signer_name: string;
}

/** `2026-11-21 Grace Hopper, Casa Azul.pdf`: what a host looks for in a folder. The day is that on the property's calendar. */
export function fileNameOf(
  { signed_at, signer_name }: Signed,
  property: { name: string; timezone: string | null } | null | undefined,
): string {
  const names = [signer_name, property?.name ?? ''].map(plain).filter(Boolean);
  return `${localDate(signed_at, property?.timezone ?? null)} ${names.join(', ')}`.trim().concat('.pdf');
}

/** `Dispute Casa Azul 2026-11-21 Hopper.zip`: after the stay, as it was sealed. */
export function packNameOf(
  stay: { property: { name: string }; reservation: { checkin_date: string; guest_name: string } } | null,
  without: string,
): string {
  const surname = stay?.reservation.guest_name.trim().split(/\s+/).at(-1) ?? '';
  const parts = stay ? [stay.property.name, stay.reservation.checkin_date, surname] : [without];
  return `${['Dispute', ...parts.map(plain).filter(Boolean)].join(' ')}.zip`;
}

/** The same for each of several: who signed twice on a day gets a number. */
export function distinctNames(): (name: string) => string {
  const used = new Map<string, number>();
  return (name) => {
    const key = name.toLowerCase();
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return count === 1 ? name : name.replace(/\.pdf$/, ` (${count}).pdf`);
  };
}
