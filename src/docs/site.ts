/**
 * Builds the whole documentation: its pages in order, each as Markdown and as HTML, and files about
 * all pages such as the search index.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/config';
import { clock } from '@/shared/clock';
import { fillFactPlaceholders } from './facts';
import { type RenderedMarkdown, removeDocsMarkdownExtensions, renderMarkdown } from './markdown';
import { DOCS_SECTIONS, type DocsPageMetadata } from './pages';
import { buildReferencePages } from './reference';

export interface DocsPage extends DocsPageMetadata, RenderedMarkdown {
  /** For example `/docs/webhooks`. */
  readonly path: string;
  readonly section: string;
  /** The content of the page's `.md` URL. */
  readonly markdown: string;
}

export interface DocsSite {
  readonly pages: readonly DocsPage[];
  readonly byPath: ReadonlyMap<string, DocsPage>;
}

const read = (source: string) => readFileSync(join(process.cwd(), 'docs', source), 'utf8');

/** Reads all sources and renders all pages. This takes a tenth of a second. */
export function buildDocsSite(): DocsSite {
  const reference = buildReferencePages();
  const [last, ...others] = [...DOCS_SECTIONS].reverse();
  if (!last) throw new Error('The documentation has no sections.');
  const pages = [
    ...others.reverse().flatMap(({ title, pages: heads }) => heads.map((head) => written(title, head))),
    ...reference.map(({ text, ...head }) => page('Reference', { ...head, source: null }, text, true)),
    ...last.pages.map((head) => written(last.title, head)),
  ];
  return { pages, byPath: new Map(pages.map((one) => [one.path, one])) };
}

const written = (section: string, head: DocsPageMetadata) =>
  page(section, head, fillFactPlaceholders(read(head.source ?? '')));

function page(section: string, head: DocsPageMetadata, text: string, one_language = false): DocsPage {
  const path = head.slug ? `/docs/${head.slug}` : '/docs';
  return {
    ...head,
    path,
    section,
    markdown: removeDocsMarkdownExtensions(text, one_language),
    ...renderMarkdown(text),
  };
}

const INTRODUCTION = `# Threshold

> Threshold has each guest of a short-term rental read and sign the house rules before arrival, and releases the arrival
> details after. Its API is server to server: REST and JSON, with a key.`;

/** Returns `/llms.txt`: the list of pages for programs (llmstxt.org). */
export function renderLlmsTxt({ pages }: DocsSite): string {
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const links = pages
      .filter((one) => one.section === section)
      .map(({ path, title, description }) => `- [${title}](${config().app_url}${path}.md): ${description}`);
    return `## ${section}\n\n${links.join('\n')}`;
  });
  const files = `## Machine-readable\n\n- [OpenAPI 3.1 document](${config().api_root}/openapi.json): Every operation, schema and webhook.`;
  return `${[INTRODUCTION, ...sections, files].join('\n\n')}\n`;
}

/** Returns `/llms-full.txt`: the text of all pages. */
export function renderLlmsFullTxt({ pages }: DocsSite): string {
  return `${[INTRODUCTION, ...pages.map(({ path, markdown }) => `<!-- ${config().app_url}${path} -->\n\n${markdown.trim()}`)].join('\n\n')}\n`;
}

/** Additional search terms for each page, which the page itself does not contain. */
const SYNONYMS: Record<string, string> = {
  '/docs/hosts/first-hour':
    'getting started begin onboarding tutorial set up setup help trial listing rental apartment vacation home agreement',
  '/docs/hosts/calendars':
    'ical ics feed sync airbnb vrbo booking.com expedia pms channel manager overbooking duplicate import reservations',
  '/docs/hosts/emails':
    'mail message spam bounce bounced undelivered reminder nudge notification gmail outlook template wording',
  '/docs/hosts/arrival-details':
    'access instructions key keys lockbox keypad smart lock pin wifi password parking check-in checkin locked out',
  '/docs/hosts/disputes':
    'chargeback proof pack evidence damage deposit bank court claim aircover fine contract signature lawsuit fraud',
  '/docs/hosts/members':
    'team user users staff cleaner cohost partner employee permission access rights invite colleague',
  '/docs/hosts/data-requests':
    'gdpr ccpa privacy erasure delete forget forgotten remove download backup export cancel account',
  '/docs/client': 'sdk library npm package',
  '/docs/test-mode': 'sandbox staging demo',
  '/docs/data-and-retention': 'gdpr ccpa privacy erasure',
  '/docs/command-line': 'cli ngrok tunnel localhost',
  '/docs/authentication': 'whitelist allowlist token bearer',
  '/docs/pagination': 'bulk batch export cursor',
  '/docs/webhooks': 'callback hook hmac',
  '/docs/rate-limits': 'throttle quota bulk',
};

/**
 * Returns `/robots.txt`. Allows indexing the documentation, but not guests' links and the
 * dashboard.
 */
export const renderRobotsTxt = () =>
  `User-agent: *\nAllow: /docs\nDisallow: /\nSitemap: ${config().app_url}/sitemap.xml\n`;

const SECURITY_TEXT_DAYS = 180;

/** Returns `/.well-known/security.txt` (RFC 9116), or null without SECURITY_CONTACT. */
export function renderSecurityTxt(): string | null {
  const { security_contact, app_url } = config();
  if (!security_contact) return null;
  const contact = security_contact.includes('@') ? `mailto:${security_contact}` : security_contact;
  const expires = new Date(clock().now().getTime() + SECURITY_TEXT_DAYS * 86_400_000).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${app_url}/.well-known/security.txt`,
    '',
  ].join('\n');
}

export function renderSitemap({ pages }: DocsSite): string {
  const urls = pages.map(({ path }) => `  <url><loc>${config().app_url}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

/** Returns the search index: one entry for each heading. */
export function renderSearchIndex({ pages }: DocsSite): string {
  return JSON.stringify(
    pages.flatMap(({ path, title, passages }) =>
      passages.map(({ depth, id, text, words }) => ({
        u: depth === 1 ? path : `${path}#${id}`,
        p: title,
        h: text,
        x: words.slice(0, 400),
        ...(depth === 1 && SYNONYMS[path] ? { k: SYNONYMS[path] } : {}),
      })),
    ),
  );
}
