/**
 * Defines which cached queries a mutation makes stale. trpc.tsx applies these rules after every
 * mutation.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '@/api/router';

type Inputs = inferRouterInputs<AppRouter>;

/** A router, or one of its procedures: `reservations`, `reservations.list`. */
type Path = { [R in keyof Inputs]: R | `${R}.${keyof Inputs[R] & string}` }[keyof Inputs];

/**
 * Maps a mutation, or all mutations of a router, to the queries that they make stale. A rule for a
 * procedure replaces its router's rule. A mutation without a rule makes nothing stale.
 */
const STALE_AFTER: { readonly [P in Path]?: readonly Path[] | 'everything' } = {
  'accounts.create_invitation': ['accounts.list_invitations'],
  'accounts.revoke_invitation': ['accounts.list_invitations'],
  'accounts.update_member': ['accounts.list_members'],
  'accounts.remove_member': ['accounts.list_members'],
  'accounts.revoke_session': ['accounts.list_sessions'],
  'accounts.revoke_other_sessions': ['accounts.list_sessions'],
  'accounts.update_sign_in_rules': ['accounts.sign_in_rules'],
  'accounts.request_email_change': ['accounts.security'],
  'accounts.cancel_email_change': ['accounts.security'],
  api_keys: ['api_keys'],
  assistants: ['assistants'],
  certificates: ['certificates', 'reservations'],
  guest_erasures: ['guest_erasures', 'reservations', 'certificates', 'inbox', 'mail'],
  'guest_erasures.preview': [],
  inbox: ['inbox', 'sync_sources', 'reservations'],
  packets: [
    'packets.list',
    'packets.revisions',
    'packets.items',
    'packets.item',
    'reservations.item_guests',
    'home.first_steps',
  ],
  'packets.preview_push': [],
  properties: ['properties.list', 'properties.domain', 'home.first_steps'],
  // The copied property belongs to the other mode, so this mode's list of properties stays valid.
  'properties.copy_to_other_mode': ['home.first_steps'],
  // Does not invalidate `properties.retrieve`. The deleted property's page is still open and would
  // fetch the property again, which fails.
  'properties.delete': ['properties.list', 'reservations'],
  'properties.preview_mail_text': [],
  'properties.save_mail_text': ['properties.mail_text'],
  'properties.send_mail_text_test': [],
  'properties.verify_domain': ['properties.retrieve', 'properties.list', 'properties.domain'],
  reservations: ['reservations', 'stay_calendar.page', 'home', 'mail.list'],
  'reservations.delete': ['reservations.list'],
  'reservations.preview_bulk': [],
  'reservations.preview_import': [],
  'reservations.share_link': ['reservations.retrieve', 'reservations.events'],
  runs: ['runs'],
  sync_sources: ['sync_sources', 'inbox', 'reservations', 'home.first_steps'],
  'sync_sources.preview': [],
  'sync_sources.remove': ['sync_sources.list'],
  'sync_sources.try_run': [],
  // The test clock decides which work is due, so a change can affect the data of every page.
  test_clocks: 'everything',
  webhook_endpoints: ['webhook_endpoints', 'events'],
  'webhook_endpoints.delete': ['webhook_endpoints.list'],
};

/**
 * Invalidates the queries that a mutation made stale. Resolves when the visible queries are
 * refetched.
 */
export async function invalidateQueriesAfterMutation(client: QueryClient, mutationKey: readonly unknown[] | undefined) {
  const [router, procedure] = (mutationKey?.[0] ?? []) as [Path?, string?];
  const stale = STALE_AFTER[`${router}.${procedure}` as Path] ?? STALE_AFTER[router as Path] ?? [];
  if (stale === 'everything') await client.invalidateQueries();
  else await Promise.all(stale.map((path) => client.invalidateQueries({ queryKey: [path.split('.')] })));
}

/** Maps an object's `object` field to the router whose `retrieve` query returns the object. */
const RETRIEVED_BY = {
  property: 'properties',
  reservation: 'reservations',
  sync_source: 'sync_sources',
  webhook_endpoint: 'webhook_endpoints',
} as const;

/** Writes a mutation's result to the cached `retrieve` query, if there is one. */
export function cacheMutationResult(client: QueryClient, answer: unknown) {
  const { object, id } = (answer ?? {}) as { object?: keyof typeof RETRIEVED_BY; id?: string };
  const router = object && RETRIEVED_BY[object];
  if (!router) return;
  const queryKey = [[router, 'retrieve'], { input: { id }, type: 'query' }];
  client.setQueryData(queryKey, (known: object | undefined) => known && { ...known, ...(answer as object) });
}
