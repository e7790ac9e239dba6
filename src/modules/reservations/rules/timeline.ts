/** Who did something, in words. Pure. */

const SYSTEM: Record<string, string> = {
  'calendar-sync': 'the calendar',
  'forwarded-mail': 'a forwarded mail',
};

/**
 * From the label a trail entry names its actor by (trail/service.ts). Null for the guest, whose entries say so themselves, and
 * where nobody is known. `names`: the team's members by user id.
 */
export function doerOf(actor: string | null, names: ReadonlyMap<string, string>): string | null {
  const [kind = '', ...rest] = (actor ?? '').split(' ');
  const id = rest.join(' ');
  if (kind === 'user') return names.get(id) ?? 'a former member';
  if (kind === 'api_key') return 'the API';
  return kind === 'system' ? (SYSTEM[id] ?? 'Threshold, by itself') : null;
}
