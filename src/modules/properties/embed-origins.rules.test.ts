import { describe, expect, it } from 'vitest';
import { EMBEDDED_SOMEWHERE, embeddedIn, embedOrigin, isLocalOrigin } from './embed-origins.rules';
import { PropertyCreate } from './schemas';

describe('an origin that may be listed', () => {
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
  ])('%s is kept as %s', (text, origin) => {
    expect(embedOrigin(text)).toBe(origin);
    // The stored value can be sent back unchanged.
    expect(embedOrigin(origin)).toBe(origin);
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
  ])('%j may not', (text) => {
    expect(embedOrigin(text)).toBeNull();
  });

  it('is said to be on the reader’s own machine by its whole name', () => {
    expect(['http://localhost:3000', 'https://localhost'].map(isLocalOrigin)).toEqual([true, true]);
    expect(['https://localhost.example', 'https://portal.example'].map(isLocalOrigin)).toEqual([false, false]);
  });
});

describe('a property’s list', () => {
  const read = (embed_origins: unknown) => PropertyCreate.safeParse({ name: 'Loft', embed_origins });

  it('is of origins as browsers write them, each once, and none unless given', () => {
    expect(read(['https://A.example/', ' https://a.example ', 'https://b.example']).data?.embed_origins).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    expect(read(undefined).data?.embed_origins).toEqual([]);
  });

  it('holds ten, and nothing else', () => {
    const origins = Array.from({ length: 11 }, (_, at) => `https://a${at}.example`);
    expect(read(origins.slice(1)).success).toBe(true);
    for (const wrong of [origins, ['*'], 'https://a.example', null, [null], [['https://a.example']]])
      expect(read(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
});

describe('inside of whose page a page was shown', () => {
  const origins = ['https://portal.example', 'https://b.example'];
  it.each([
    ['of a form in a frame, the site it names', 'iframe', 'https://b.example', 'https://b.example'],
    ['of the beacon, which is no page', 'empty', 'https://portal.example', 'https://portal.example'],
    ['of a browser that does not say', null, 'https://portal.example', 'https://portal.example'],
    ['a window of its own is in none, whatever it names', 'document', 'https://portal.example', null],
    ['one that is not listed is not believed', 'empty', 'https://evil.example', null],
    ['a frame that names none is in some', 'iframe', null, EMBEDDED_SOMEWHERE],
    ['one of a frameset, too', 'frame', null, EMBEDDED_SOMEWHERE],
    ['a frame that names one that is not listed, too', 'iframe', 'https://evil.example', EMBEDDED_SOMEWHERE],
    ['nothing is said', 'empty', null, null],
  ])('%s', (_, dest, named, expected) => {
    expect(embeddedIn(origins, { dest, named })).toBe(expected);
  });

  it('is nowhere for a property that lists none', () => {
    expect(embeddedIn([], { dest: 'empty', named: 'https://portal.example' })).toBeNull();
  });
});
