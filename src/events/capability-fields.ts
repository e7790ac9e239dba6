/**
 * Fields whose value opens something for whoever holds it. A view that is shared by a link shows them masked: such a link can
 * be withdrawn, what it showed cannot. A test compares the names with every field of the API and every event. Pure.
 */
export const CAPABILITY_FIELDS: ReadonlySet<string> = new Set([
  'copyUrl',
  'email_preview_url',
  'feed_url',
  'password',
  'signingUrl',
  'signing_secret',
  'verify_token',
  'verify_url',
]);

export const MASKED = '••••••';

/** JSON text without the values of capability fields, and those values. Text that is no JSON is masked as a whole. */
export function maskCapabilities(json: string): { text: string; hidden: string[] } {
  const hidden: string[] = [];
  const mask = (name: string, value: unknown): unknown => {
    if (!CAPABILITY_FIELDS.has(name) || value === null || value === undefined) return value;
    if (typeof value === 'string') hidden.push(value);
    return MASKED;
  };
  try {
    return { text: JSON.stringify(JSON.parse(json, mask)), hidden };
  } catch {
    return { text: MASKED, hidden };
  }
}

/** Text of a receiver, which may repeat what it was sent. */
export const maskValues = (text: string, hidden: readonly string[]): string =>
  hidden.filter((value) => value !== '').reduce((left, value) => left.replaceAll(value, MASKED), text);
