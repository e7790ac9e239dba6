import { describe, expect, it } from 'vitest';
import {
  determineOriginThatEmbeddedPage,
  isLocalOrigin,
  parseEmbedOrigin,
  UNKNOWN_EMBED_ORIGIN,
} from './embed-origins.rules';
import { PropertyCreate } from './schemas';

describe('an embedding origin', () => {
  it.each([
    ['https://portal.example', 'https://portal.example'],
    ['https://Portal.EXAMPLE/', 'https://portal.example'],
    ['https://portal.example:443', 'https://portal.example'],
    ['https://portal.example:8443', 'https://portal.example:8443'],
    ['https://xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
    ['https://intranet', 'https://intranet'],
    ['https://intranet2', 'https://intranet2'],
    ['https://7seas.example', 'https://7seas.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://localhost', 'http://localhost'],
  ])('like %s is stored as %s', (text, origin) => {
    expect(parseEmbedOrigin(text)).toBe(origin);
    // Normalizing a normalized origin changes nothing.
    expect(parseEmbedOrigin(origin)).toBe(origin);
  });

  it.each([
    ...['', '*', 'null', "'self'", 'https:', 'https://', 'portal.example', '//portal.example', 'https:portal.example'],
    ...['http://portal.example', 'http://127.0.0.1:3000', 'http://localhost.evil.example', 'http://sub.localhost'],
    ...['ftp://portal.example', 'javascript://portal.example', 'data:text/html,x', 'blob:https://portal.example'],
    ...[
      'https://*.portal.example',
      'https://*',
      'https://portal.example:*',
      'https://portal.example:',
      'https://a..example',
    ],
    ...[
      'https://portal.example/page',
      'https://portal.example//',
      'https://portal.example?x',
      'https://portal.example#x',
    ],
    ...['https://user@portal.example', 'https://user:pass@portal.example', 'https://portal.example\\@evil.example'],
    ...[
      'https://portal.example; script-src *',
      "https://portal.example 'unsafe-inline'",
      'https://portal.example,b.example',
    ],
    ...['https://portal.example\nX-Frame-Options: ALLOWALL', 'https://portal.\texample', ' https://portal.example'],
    ...[
      'https://portal.example\u0000',
      'https://portal%2eexample',
      'https://portal。example',
      'https://münchen.example',
    ],
    ...['https://1.2.3.4', 'https://0x7f.1', 'https://127.1', 'https://[::1]', 'https://portal.example.'],
    ...['https://portal.example:99999', `https://${'a'.repeat(300)}.example`],
  ])('like %j is rejected', (text) => {
    expect(parseEmbedOrigin(text)).toBeNull();
  });

  it('is local only by its whole host name', () => {
    expect(['http://localhost:3000', 'https://localhost'].map(isLocalOrigin)).toEqual([true, true]);
    expect(['https://localhost.example', 'https://portal.example'].map(isLocalOrigin)).toEqual([false, false]);
  });
});

describe('a property’s embedding origins', () => {
  const read = (embed_origins: unknown) => PropertyCreate.safeParse({ name: 'Loft', embed_origins });

  it('are normalised, unique, and empty by default', () => {
    expect(read(['https://A.example/', ' https://a.example ', 'https://b.example']).data?.embed_origins).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    expect(read(undefined).data?.embed_origins).toEqual([]);
  });

  it('are a list of at most ten origins', () => {
    const origins = Array.from({ length: 11 }, (_, at) => `https://a${at}.example`);
    expect(read(origins.slice(1)).success).toBe(true);
    for (const wrong of [origins, ['*'], 'https://a.example', null, [null], [['https://a.example']]])
      expect(read(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
});

describe('the site that embeds a page', () => {
  const origins = ['https://portal.example', 'https://b.example'];
  it.each([
    ['is the listed site that a form in a frame names', 'iframe', 'https://b.example', 'https://b.example'],
    ['is the listed site that a beacon names', 'empty', 'https://portal.example', 'https://portal.example'],
    [
      'is the listed site named by a browser without Sec-Fetch-Dest',
      null,
      'https://portal.example',
      'https://portal.example',
    ],
    ['is none in a window of its own, whatever it names', 'document', 'https://portal.example', null],
    ['is none when the named site is not listed', 'empty', 'https://evil.example', null],
    ['is unknown in a frame that names none', 'iframe', null, UNKNOWN_EMBED_ORIGIN],
    ['is unknown in a frameset that names none', 'frame', null, UNKNOWN_EMBED_ORIGIN],
    [
      'is unknown in a frame that names a site that is not listed',
      'iframe',
      'https://evil.example',
      UNKNOWN_EMBED_ORIGIN,
    ],
    ['is none when no site is named', 'empty', null, null],
  ])('%s', (_, dest, named, expected) => {
    expect(determineOriginThatEmbeddedPage(origins, { dest, named })).toBe(expected);
  });

  it('is none for a property without embedding origins', () => {
    expect(determineOriginThatEmbeddedPage([], { dest: 'empty', named: 'https://portal.example' })).toBeNull();
  });
});
