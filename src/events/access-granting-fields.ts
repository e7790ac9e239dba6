/**
 * Fields whose value grants access to anyone who has it, such as links with a token. Views shared
 * by a link mask these fields: the link can be withdrawn later, but a value that was shown cannot.
 * A test compares the names with every field of the API and every event. Pure.
 */
export const ACCESS_GRANTING_FIELD_NAMES: ReadonlySet<string> = new Set([
  'copyUrl',
  'email_preview_url',
  'feed_url',
  'password',
  'signingUrl',
  'signing_secret',
  'verify_token',
  'verify_url',
]);

export const MASKED_VALUE = '••••••';

/**
 * Masks the fields of a JSON text that grant access, and returns their values. Text that is not
 * valid JSON is masked completely.
 */
export function maskAccessGrantingFields(json: string): { text: string; hidden: string[] } {
  const hidden: string[] = [];
  const mask = (name: string, value: unknown): unknown => {
    if (!ACCESS_GRANTING_FIELD_NAMES.has(name) || value === null || value === undefined) return value;
    if (typeof value === 'string') hidden.push(value);
    return MASKED_VALUE;
  };
  try {
    return { text: JSON.stringify(JSON.parse(json, mask)), hidden };
  } catch {
    return { text: MASKED_VALUE, hidden };
  }
}

/** Masks these values in a receiver's response, which may repeat parts of the event. */
export const maskValuesInText = (text: string, hidden: readonly string[]): string =>
  hidden.filter((value) => value !== '').reduce((left, value) => left.replaceAll(value, MASKED_VALUE), text);
