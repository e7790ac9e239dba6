/**
 * Tests that the documentation is consistent: URLs, links, anchors, and statements that can be
 * compared with the code.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/api/openapi';
import { config, setConfig } from '@/config';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';
import { ERRORS } from '@/shared/errors';
import { fillFactPlaceholders } from './facts';
import { isDocsPath, serveDocs } from './serve';
import { buildDocsSite, type DocsPage, type DocsSite } from './site';

/** URLs that integrators have bookmarked. */
const ADDRESSES = [
  ...['', '/quick-start', '/authentication', '/test-mode', '/idempotency', '/pagination', '/errors', '/rate-limits'],
  ...['/webhooks', '/events', '/arrival-release', '/embedding', '/calendars', '/forwarded-mail', '/certificates'],
  ...['/verify-content-hash', '/assistants', '/data-and-retention', '/versioning', '/client'],
  ...['/reference', '/changelog'],
  ...['/hosts/first-hour', '/hosts/calendars', '/hosts/emails', '/hosts/arrival-details', '/hosts/disputes'],
  ...['/hosts/members', '/hosts/data-requests'],
].map((path) => `/docs${path}`);

let server: Server;
let origin: string;
let site: DocsSite;

beforeAll(async () => {
  server = createServer((request, response) =>
    isDocsPath(request.url ?? '') ? serveDocs(request, response) : void response.writeHead(404).end('elsewhere'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  setConfig({ app_url: origin, api_root: `${origin}/v1`, production: true });
  site = buildDocsSite();
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const linksOf = ({ html }: DocsPage) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
const idsOf = ({ html }: DocsPage) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers, redirect: 'manual' });

describe('the documentation pages', () => {
  it.each(ADDRESSES)('%s is served as HTML and as Markdown', async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('aria-current="page"');
    expect(html.match(/<h1/g)).toHaveLength(1);
    const markdown = await get(`${path}.md`);
    expect([markdown.status, markdown.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(await markdown.text()).toMatch(/^# /);
  });

  it('link only to existing pages, files and anchors', async () => {
    const beside = new Set(site.pages.flatMap(linksOf).filter((href) => /^[\w-]+\.\w+$/.test(href)));
    for (const file of beside) expect((await get(`/docs/${file}`)).status, file).toBe(200);
    const elsewhere = new Set(['/', '/v1/openapi.json', '/llms.txt', '/llms-full.txt']);
    const broken = site.pages.flatMap((page) =>
      linksOf(page).flatMap((href) => {
        if (/^https:\/\//.test(href) || elsewhere.has(href) || beside.has(href)) return [];
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? page : site.byPath.get(path);
        if (target && (anchor === undefined || idsOf(target).includes(anchor))) return [];
        return [`${page.path}: ${href}`];
      }),
    );
    expect(site.pages.flatMap(linksOf).length).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  it('have no duplicate anchors', () => {
    for (const page of site.pages) expect(idsOf(page), page.path).toEqual([...new Set(idsOf(page))]);
  });

  it('have an anchor for every error code, event type and operation', () => {
    const anchors = (prefix: string) =>
      site.pages.filter(({ path }) => path.startsWith(prefix)).flatMap((page) => idsOf(page));
    expect(anchors('/docs/errors')).toEqual(expect.arrayContaining(Object.keys(ERRORS)));
    expect(anchors('/docs/events')).toEqual(expect.arrayContaining(EVENT_TYPE_NAMES));
    const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(anchors('/docs/reference')).toEqual(
      expect.arrayContaining(operations.map(({ operationId }) => operationId)),
    );
  });

  it('contain no inline script or style, which their policy forbids', async () => {
    const page = await get('/docs/webhooks');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style| style="| on\w+="/);
  });

  it('ship at most 8 KB of style and script together', async () => {
    const html = await (await get('/docs')).text();
    const files = [...html.matchAll(/"(\/docs\/assets\/[^"]*\.(?:css|js))"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(2);
    const sizes = await Promise.all(
      files.map(async (path) => gzipSync(Buffer.from(await (await get(path)).arrayBuffer())).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_192);
  });
});

describe('the content of the documentation pages', () => {
  /** Returns words that are formatted as code in the hand-written pages. Ignores code samples. */
  const mentions = (pattern: RegExp) =>
    site.pages
      .filter(({ source }) => source)
      .flatMap(({ path, markdown }) =>
        [...markdown.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)]
          .filter(([, word = '']) => pattern.test(word))
          .map(([, word = '']) => `${path}: ${word}`),
      );
  const wordOf = (mention: string) => mention.slice(mention.indexOf(': ') + 2);

  it('names only event types that exist', () => {
    const named = mentions(/^(reservation|certificate|property|packet|sync_source)\.[a-z_.]+$/);
    expect(named.length).toBeGreaterThan(20);
    const others = ['packet.notes', 'certificate.json', 'reservation.external_id'];
    expect(named.filter((one) => ![...EVENT_TYPE_NAMES, ...others].includes(wordOf(one)))).toEqual([]);
  });

  it('names only scopes that exist, and all of them', () => {
    const named = mentions(/^[a-z_]+:(read|write|send|run)$/);
    expect(new Set(named.map(wordOf))).toEqual(new Set(API_KEY_SCOPE_NAMES));
  });

  it('names only operations that exist', () => {
    const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, unknown>> };
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const named = mentions(/^(GET|POST|PATCH|PUT|DELETE) \//);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((one) => !known.includes(wordOf(one).replace('/v1', '')))).toEqual([]);
  });

  it('contains no unfilled placeholder and no internal markup', () => {
    for (const { path, markdown, html } of site.pages) {
      expect(markdown, path).not.toMatch(/\{#[\w.-]+\}$|<!-- \/?tabs/m);
      expect(html.replace(/<pre[\s\S]*?<\/pre>/g, ''), path).not.toMatch(/\{#[\w.-]+\}|undefined|\[object/);
      // Skips the packets reference, whose short codes look like placeholders.
      if (path !== '/docs/reference/packets') expect(markdown, path).not.toMatch(/\{\{\w+\}\}/);
    }
  });
});

describe('the pages for hosts', () => {
  const pages = () => site.pages.filter(({ section }) => section === 'For hosts');

  it('are the first section of the navigation', async () => {
    expect(pages()).toHaveLength(7);
    expect(site.pages.slice(0, 7)).toEqual(pages());
    const html = await (await get('/docs')).text();
    const navigation = html.slice(html.indexOf('<nav class="pages"'));
    expect(/<p>(.*?)<\/p><ul><li><a href="(.*?)"/.exec(navigation)?.slice(1)).toEqual([
      'For hosts',
      '/docs/hosts/first-hour',
    ]);
  });

  it('are short and use no terms of the API', () => {
    for (const { path, markdown } of pages()) {
      expect(markdown.split('\n').length, path).toBeLessThan(120);
      const terms = /\b(APIs?|JSON|webhooks?|endpoints?|payloads?|HTTP|URLs?|tokens?|hash(es)?|ids?|packets?)\b/i;
      // Removes bold text, which contains names from the dashboard.
      const prose = markdown.replace(/\*\*[^*]+\*\*|\]\([^)]*\)/g, '');
      expect(terms.exec(prose)?.[0], path).toBeUndefined();
    }
  });

  it('use the dashboard’s names for its pages and buttons', () => {
    expect(fillFactPlaceholders('**{{calendars.connect}}**')).toBe('**Connect**');
    expect(() => fillFactPlaceholders('{{calendars.nothing}}')).toThrow('{{calendars.nothing}}');
    // A message with placeholders cannot be the name of a page or button.
    expect(() => fillFactPlaceholders('{{calendars.mails_wait_for_you}}')).toThrow('unknown');
  });

  it.each([
    ['chargeback', 'disputes'],
    ['airbnb', 'calendars'],
    ['overbooking', 'calendars'],
    ['lockbox', 'arrival-details'],
    ['spam', 'emails'],
    ['cleaner', 'members'],
    ['forget', 'data-requests'],
    ['onboarding', 'first-hour'],
  ])('are found by a search for “%s”', async (word, page) => {
    const entries = (await (await get('/docs/search.json')).json()) as { u: string; k?: string }[];
    expect(entries.find(({ k }) => k?.split(' ').includes(word))?.u).toBe(`/docs/hosts/${page}`);
  });
});

describe('the documentation’s files for programs', () => {
  it('/llms.txt lists the Markdown URL of every page, and each URL works', async () => {
    const text = await (await get('/llms.txt')).text();
    const listed = [...text.matchAll(/\((http[^)]*\.md)\)/g)].map(([, url = '']) => url);
    expect(listed).toEqual(site.pages.map(({ path }) => `${origin}${path}.md`));
    for (const url of listed) expect((await fetch(url)).status, url).toBe(200);
  });

  it('/llms-full.txt contains the Markdown of every page', async () => {
    const text = await (await get('/llms-full.txt')).text();
    for (const { path } of site.pages) expect(text).toContain((await (await get(`${path}.md`)).text()).trim());
  });

  it.each(['sdk', 'sandbox', 'gdpr', 'ngrok', 'whitelist', 'bulk'])(
    'the search index contains the synonym %s',
    async (word) => {
      const entries = (await (await get('/docs/search.json')).json()) as { u: string; k?: string }[];
      const found = entries.filter(({ k }) => k?.split(' ').includes(word));
      expect(found).not.toEqual([]);
      for (const { u } of found) expect((await get(u)).status).toBe(200);
    },
  );

  it('/robots.txt and /sitemap.xml expose only the documentation to crawlers', async () => {
    expect(await (await get('/robots.txt')).text()).toMatch(/Allow: \/docs\nDisallow: \/\nSitemap: .*\/sitemap\.xml/);
    const addresses = [...(await (await get('/sitemap.xml')).text()).matchAll(/<loc>([^<]+)<\/loc>/g)];
    expect(addresses.length).toBeGreaterThan(20);
    for (const [, address = ''] of addresses) expect((await get(new URL(address).pathname)).status).toBe(200);
  });

  it('/.well-known/security.txt names the security contact, and is 404 unless one is configured', async () => {
    expect((await get('/.well-known/security.txt')).status).toBe(404);
    setConfig({ ...config(), security_contact: 'security@example.com' });
    const written = await (await get('/.well-known/security.txt')).text();
    expect(written).toMatch(/^Contact: mailto:security@example\.com\nExpires: \d{4}-.*Z\n/);
    expect(Date.parse(/Expires: (.*)/.exec(written)?.[1] ?? '')).toBeGreaterThan(Date.now());
  });

  it('the search index contains every page and links only to existing anchors', async () => {
    const entries = (await (await get('/docs/search.json')).json()) as { u: string; h: string }[];
    for (const { path } of site.pages) expect(entries.map(({ u }) => u)).toContain(path);
    for (const { u } of entries) {
      const [path = '', anchor] = u.split('#');
      const page = site.byPath.get(path);
      expect(page && (anchor === undefined || idsOf(page).includes(anchor)), u).toBe(true);
    }
  });
});

describe('the request forms of the reference', () => {
  it('cover every operation with all its path parameters', async () => {
    const known = (await (await get('/docs/try.json')).json()) as Record<
      string,
      { path: string; parameters: object[] }
    >;
    const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(Object.keys(known).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    for (const { path, parameters } of Object.values(known)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const given = parameters.flatMap((one) =>
        'place' in one && one.place === 'path' && 'name' in one ? [one.name] : [],
      );
      expect(given, path).toEqual(named);
    }
    expect(known.properties_create).toMatchObject({ method: 'POST', path: '/properties', parameters: [] });
  });

  it('load their script only on pages with operations', async () => {
    const scripts = async (path: string) => (await (await get(path)).text()).match(/<script/g)?.length;
    expect(await scripts('/docs/reference/properties')).toBe(2);
    expect([await scripts('/docs/reference'), await scripts('/docs/webhooks')]).toEqual([1, 1]);
  });
});

describe('HTTP responses of the documentation', () => {
  it('are 404 for unknown paths, 308 for a trailing slash, and 405 for methods other than GET and HEAD', async () => {
    expect((await get('/docs/nothing')).status).toBe(404);
    expect((await get('/docs/nothing.md')).status).toBe(404);
    expect((await get('/docs/assets/../docs.css')).status).toBe(404);
    const slash = await get('/docs/webhooks/');
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs/webhooks']);
    const post = await fetch(`${origin}/docs`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are 304 for a matching ETag, and have the color scheme of the cookie', async () => {
    const page = await get('/docs');
    const etag = page.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    expect((await get('/docs', { 'If-None-Match': etag })).status).toBe(304);
    expect(await (await get('/docs', { Cookie: 'a=b; threshold_theme=dark' })).text()).toContain(
      '<html lang="en" class="dark">',
    );
    expect(await (await get('/docs', { Cookie: 'threshold_theme="><script>' })).text()).toContain('<html lang="en">');
  });

  it.each([
    ['/docs', true],
    ['/docs?x=1', true],
    ['/docs.md', true],
    ['/docs/', true],
    ['/docs/webhooks.md', true],
    ['/llms.txt', true],
    ['/llms-full.txt', true],
    ['/docsx', false],
    ['/llms.txt.bak', false],
    ['/', false],
    ['/v1/docs', false],
  ])('the documentation serves %s: %s', (path, belongs) => {
    expect(isDocsPath(path)).toBe(belongs);
  });
});
