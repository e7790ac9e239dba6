/** Masks personal data for pages that others may see. Pure. */

/**
 * Shows only the first letters of first and last name, and always three dots: “Ada Lovelace” is
 * “A••• L•••”.
 */
export function maskGuestName(name: string): string {
  const parts = name.trim().split(/\s+/u).filter(Boolean);
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const initial = (part: string) => [...segmenter.segment(part)][0]?.segment ?? '';
  const kept = parts.length > 1 ? [parts[0] ?? '', parts.at(-1) ?? ''] : parts;
  return kept.map((part) => `${initial(part)}•••`).join(' ') || '•••';
}

/**
 * Masks an address so that its owner still recognises it: `ada@example.com` is `a•••@example.com`.
 */
export function maskEmailAddress(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '•••';
  const first = [...email.slice(0, at)][0] ?? '';
  return `${first}•••${email.slice(at)}`;
}
