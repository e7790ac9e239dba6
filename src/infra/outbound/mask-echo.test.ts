import { expect, it } from 'vitest';
import { createResponseSecretMasker } from './mask-echo';

const SECRET = `k<1&"y'Zq+/Secret Value=9x%Tail`;

it.each<[string, string]>([
  ['unencoded', SECRET],
  ['JSON', JSON.stringify(SECRET)],
  ['JSON inside JSON', JSON.stringify(JSON.stringify({ SECRET }))],
  ['JSON by Go', JSON.stringify(SECRET).replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`)],
  ['JSON by PHP', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['a Python string', `'${SECRET.replaceAll("'", "\\'")}'`],
  ['encodeURI', encodeURI(SECRET)],
  ['encodeURIComponent, twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['HTML', SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll("'", '&#39;')],
])('leaves no part of an echoed secret readable: %s', (_form, echo) => {
  const masked = createResponseSecretMasker([SECRET]).mask(`<p>${echo}</p>`);
  for (const part of ['k<1', 'Zq+', 'Zq%', 'Secret Value', 'Secret%20', 'Tail']) expect(masked).not.toContain(part);
});
