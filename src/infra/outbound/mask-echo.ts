/** Removes known secrets from another server's response before any of it is stored. Pure. */

export const ECHOED_SECRET_PLACEHOLDER = '••••••';

/**
 * Minimum length of a masked value. Shorter values are words like `1` or `eu`. Masking them would
 * make the response unreadable and protect nothing.
 */
const SHORTEST = 4;
/**
 * Minimum length of the beginning of a secret that is masked at the end of a response, where the
 * response may have been cut inside the secret.
 */
const SHORTEST_CUT = 4;
/**
 * Maximum number of encoded bytes per byte of the secret: JSON inside JSON writes a control
 * character as `\\u0001`.
 */
const MOST_PER_BYTE = 7;

/**
 * Returns the forms in which a program may echo a value: unchanged, escaped, or encoded, alone or
 * inside a longer text.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const url = encodeURIComponent(secret);
  const base64 = [0, 1, 2].flatMap((offset) => {
    // In base64 of a longer text, the first and last characters depend on the neighbouring bytes.
    const start = offset === 0 ? 0 : offset + 1;
    const length = Math.floor(((offset + bytes.length) * 8) / 6) - start;
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(start, start + length);
    return text.length < 6 ? [] : [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  // Go's JSON encoder also escapes HTML characters. A response may also contain JSON inside JSON.
  const unicode = (text: string) => text.replace(/[<>&']/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  const go = json.replace(/[<>&]/g, unicode);
  const all = [secret, json, json.replaceAll('/', '\\/'), html, html.replaceAll("'", '&#39;'), url];
  const nested = [json, go].map((text) => JSON.stringify(text).slice(1, -1));
  const others = [
    go,
    unicode(json),
    ...nested,
    secret.replaceAll("'", "\\'"),
    encodeURI(secret),
    encodeURIComponent(url),
  ];
  const numeric = html.replaceAll('&quot;', '&#34;').replaceAll("'", '&#39;');
  return [...all, ...others, numeric, url.replaceAll('%20', '+'), ...base64, bytes.toString('hex')];
}

export interface ResponseSecretMasker {
  /**
   * The maximum number of bytes to read beyond `kept`, so that a secret that begins in the kept
   * part is complete.
   */
  readonly longest: number;
  /**
   * Returns the first `kept` bytes of a response without secrets, and without the beginning of a
   * secret that was cut off at the end.
   */
  mask(answer: string, kept?: number): string;
}

/**
 * Creates a mask for these secrets. In a value like `Bearer token` each word is masked, and in
 * Basic credentials also the decoded text.
 */
export function createResponseSecretMasker(values: readonly string[]): ResponseSecretMasker {
  const parts = values.flatMap((value) => {
    const words = value.split(/[\s,;=]+/).filter((word) => word.length >= 6);
    const basic = /^basic\s+(\S+)$/i.exec(value)?.[1];
    const decoded = basic ? Buffer.from(basic, 'base64').toString('utf8') : '';
    return [value, ...words, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  });
  const secrets = [...new Set(parts)].filter((part) => part.length >= SHORTEST);
  const longest = MOST_PER_BYTE * Math.max(0, ...secrets.map((secret) => Buffer.byteLength(secret)));
  // The forms are computed only for a response with a body, because most responses have none.
  let forms: string[] | undefined;
  return {
    longest,
    mask(answer, kept = Number.POSITIVE_INFINITY) {
      if (answer === '') return '';
      // The forms of the secrets are sorted by length, longest first, so that a whole value is
      // masked before its parts.
      forms ??= [...new Set(secrets.flatMap(formsOf))]
        .sort((a, b) => b.length - a.length)
        .map((form) => form.toLowerCase());
      return maskForms(answer, forms, kept);
    },
  };
}

function maskForms(answer: string, forms: readonly string[], kept: number): string {
  // Only ASCII letters are converted to lower case, so that the text keeps its length and positions
  // match.
  const searched = answer.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const end = charactersIn(answer, kept);
  let masked = '';
  let at = 0;
  for (const { start, stop } of findAll(searched, forms)) {
    if (start >= end) break;
    masked += answer.slice(at, start) + ECHOED_SECRET_PLACEHOLDER;
    at = stop;
  }
  return at >= end ? masked : masked + answer.slice(at, end);
}

/** Returns the number of characters that fit into this many bytes. */
function charactersIn(text: string, bytes: number): number {
  if (Buffer.byteLength(text) <= bytes) return text.length;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '').length;
}

/**
 * Returns the ranges of the text that contain a form of a secret, merged and in order. If the text
 * ends with the beginning of a form, the range of this beginning is included.
 */
function findAll(text: string, forms: readonly string[]): { start: number; stop: number }[] {
  const found: { start: number; stop: number }[] = [];
  for (const form of forms) {
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length))
      found.push({ start, stop: start + form.length });
    for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST_CUT; length--) {
      if (!text.endsWith(form.slice(0, length))) continue;
      found.push({ start: text.length - length, stop: text.length });
      break;
    }
  }
  found.sort((a, b) => a.start - b.start);
  const merged: { start: number; stop: number }[] = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (last && range.start <= last.stop) last.stop = Math.max(last.stop, range.stop);
    else merged.push(range);
  }
  return merged;
}
