/** Lists the pages of the documentation in order: their path, title and introductory sentence. */

export interface DocsPageMetadata {
  /** The path after `/docs/`. Empty for the first page. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** The source file below `docs/`. Null for a generated page. */
  readonly source: string | null;
}

export interface DocsSection {
  readonly title: string;
  readonly pages: readonly DocsPageMetadata[];
}

const guide = (slug: string, title: string, description: string, source = `guide/${slug}.md`): DocsPageMetadata => ({
  slug,
  title,
  description,
  source,
});

/** The hand-written pages. site.ts inserts the generated reference before the last section. */
export const DOCS_SECTIONS: readonly DocsSection[] = [
  {
    title: 'For hosts',
    pages: [
      guide('hosts/first-hour', 'Your first hour', 'From a new account to the first guest who signs.'),
      guide(
        'hosts/calendars',
        'Connect calendars',
        'Bookings that arrive automatically, and what a calendar may ask you.',
      ),
      guide('hosts/emails', 'Emails', 'What guests and you receive, and how to forward booking confirmations.'),
      guide('hosts/arrival-details', 'Door codes and arrival', 'Hide the door code until the guest has signed.'),
      guide('hosts/disputes', 'Disputes', 'What a certificate proves, and how to answer a chargeback.'),
      guide('hosts/members', 'Members and roles', 'What owners, managers, co-hosts and developers see and do.'),
      guide('hosts/data-requests', 'Data requests', 'Erase or correct a guest, export everything, leave.'),
    ],
  },
  {
    title: 'Get started',
    pages: [
      guide('', 'Overview', 'What the API is for and where to begin.', 'guide/overview.md'),
      guide('quick-start', 'Quick start', 'From a test key to a signed reservation in five minutes.'),
      guide('authentication', 'Authentication', 'Keys, scopes, IP allowlists, rotation.'),
      guide('test-mode', 'Test mode', 'A separate world that mails nobody, and how to sign as its guest.'),
    ],
  },
  {
    title: 'Requests',
    pages: [
      guide('idempotency', 'Idempotency', 'Repeat a write safely with one header.'),
      guide('pagination', 'Pagination', 'Lists, cursors, filters and conditional requests.'),
      guide('errors', 'Errors', 'The error object, and every code with what to do about it.'),
      guide('rate-limits', 'Rate limits', 'How many requests pass, and what to do when one does not.'),
      guide('versioning', 'Versioning', 'What may change within version 1, and what may not.'),
    ],
  },
  {
    title: 'Webhooks',
    pages: [
      guide('webhooks', 'Webhooks', 'Receive, verify and acknowledge events; retries, auto-disable, rotation.'),
      guide('events', 'Events', 'Every event type with its payload.'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('arrival-release', 'Arrival release', 'Hold the door code until the guest has signed.'),
      guide('embedding', 'Embedded signing', 'The signing page inside of a page of yours.'),
      guide('calendars', 'Calendars', 'Sync sources: how calendar feeds create and change reservations.'),
      guide('forwarded-mail', 'Forwarded mail', 'Bookings from the confirmations that a host forwards.'),
      guide('certificates', 'Certificates', 'The sealed PDF, its audit trail and its public page.'),
      guide(
        'verify-content-hash',
        'Verify a certificate',
        'Check a certificate yourself, with nothing of ours.',
        'verify-content-hash.md',
      ),
      guide('assistants', 'Assistants', 'The API as tools of the Model Context Protocol.'),
      guide('data-and-retention', 'Data and retention', 'What is kept, for how long, and how it goes.'),
    ],
  },
  {
    title: 'Tools',
    pages: [
      guide('client', 'TypeScript client', 'The API and its webhooks, typed, with retries and keys by themselves.'),
      guide('command-line', 'Command line', 'The API in a terminal, and test events on your own machine.'),
    ],
  },
  { title: 'More', pages: [guide('changelog', 'Changelog', 'What changed in the API.')] },
];
