import { expect, it } from 'vitest';
import { echoMask } from './mask-echo';

const SECRET = `k<1&"y'Zq+/Secret Value=9x%Tail`;

it.each<[string, string]>([
  ['as it is', SECRET],
  ['JSON', JSON.stringify(SECRET)],
  ['JSON inside JSON', JSON.stringify(JSON.stringify({ SECRET }))],
  ['JSON of Go', JSON.stringify(SECRET).replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`)],
  ['JSON of PHP', JSON.stringify(SECRET).replaceAll('/', '\\/')],
  ['a Python string', `'${SECRET.replaceAll("'", "\\'")}'`],
  ['encodeURI', encodeURI(SECRET)],
  ['encodeURIComponent, twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['HTML', SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll("'", '&#39;')],
])('no part of a secret is left where it is echoed: %s', (_form, echo) => {
  const masked = echoMask([SECRET]).mask(`<p>${echo}</p>`);
  for (const part of ['k<1', 'Zq+', 'Zq%', 'Secret Value', 'Secret%20', 'Tail']) expect(masked).not.toContain(part);
});
