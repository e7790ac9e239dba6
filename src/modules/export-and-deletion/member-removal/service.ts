/**
 * Removing a member together with what they set up. An endpoint or a key lives on without its maker, so that whoever was
 * removed could go on receiving the team's data. Push subscriptions, sessions in the team and terminals that wait for a
 * key always end: their rows belong to the membership.
 */

import { changeMember, type Doer } from '@/modules/accounts/members.service';
import { revokeKey } from '@/modules/api-keys/service';
import { updateProperty } from '@/modules/properties/service';
import { withdrawPortal } from '@/modules/webhooks/portal/portal';
import { updateEndpoint } from '@/modules/webhooks/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { Belonging, MemberRemoval } from './schemas';

const ENDPOINT_ACTIONS = ['webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.portal_shared'];
const EMBEDDING = 'property.embedding_changed';

/** What a member set up and what still works, with what gives them data first. Throws resource_missing. */
export async function listBelongings(team_id: string, member_id: string): Promise<Belonging[]> {
  const member = await repository.findMember(team_id, member_id);
  if (!member) throw new AppError('resource_missing', { message: refusal('no_such_member') });
  return belongingsOf(team_id, member);
}

type Member = NonNullable<Awaited<ReturnType<typeof repository.findMember>>>;

async function belongingsOf(team_id: string, { userId: user_id, user }: Member): Promise<Belonging[]> {
  const now = clock().now();
  const endpoints = await repository.findEndpoints(team_id);
  const properties = await repository.findProperties(team_id, user.email);
  const ids = [...endpoints, ...properties].map(({ id }) => id);
  const audit = await repository.findAudit(team_id, [...ENDPOINT_ACTIONS, EMBEDDING], ids);
  const entriesOf = (id: string, ...actions: string[]) =>
    audit.filter((entry) => entry.object_id === id && actions.includes(entry.action));

  const own_endpoints = endpoints.filter(({ id, url, status }) => {
    // Whoever was the first to give the address of today: it may have been another endpoint before.
    const [first] = entriesOf(id, 'webhook_endpoint.created', 'webhook_endpoint.updated').filter(
      ({ data }) => (data as { url?: unknown }).url === url,
    );
    return status === 'enabled' && first?.actor === user_id;
  });
  const portals = endpoints.filter(
    ({ id, portal_expires_at }) =>
      portal_expires_at !== null &&
      portal_expires_at > now &&
      entriesOf(id, 'webhook_endpoint.portal_shared').at(-1)?.actor === user_id,
  );
  const keys = await repository.findKeys(team_id, user_id, now);
  const replies = properties.filter(({ reply_to_email }) => reply_to_email?.toLowerCase() === user.email.toLowerCase());
  const embeds = properties.filter(
    ({ id, embed_origins }) => embed_origins.length > 0 && entriesOf(id, EMBEDDING).at(-1)?.actor === user_id,
  );
  // Who proved a domain is not recorded: the owner knows who controls it.
  const domains = properties.filter(({ custom_domain_verified_at }) => custom_domain_verified_at !== null);
  const shown =
    (kind: Belonging['kind'], gives_data: boolean) => (row: { id: string; mode: Belonging['mode'] }, name: string) => ({
      ...{ kind, id: row.id, mode: row.mode, name, gives_data },
    });
  return [
    ...own_endpoints.map((row) => shown('webhook_endpoint', true)(row, row.url)),
    ...portals.map((row) => shown('portal_link', true)(row, row.url)),
    ...keys.map((row) => shown('api_key', true)(row, row.name)),
    ...replies.map((row) => shown('reply_address', true)(row, row.name)),
    ...embeds.map((row) => shown('embed_origins', false)(row, `${row.name}: ${row.embed_origins.join(', ')}`)),
    ...domains.map((row) => shown('custom_domain', false)(row, row.custom_domain ?? '')),
  ];
}

const END: Record<Belonging['kind'], (scope: Scope, id: string) => Promise<unknown>> = {
  // Kept with its deliveries, so that the owner can go on with another address.
  webhook_endpoint: (scope, id) => updateEndpoint(scope, id, { status: 'disabled' }, null),
  portal_link: withdrawPortal,
  api_key: revokeKey,
  reply_address: (scope, id) => updateProperty(scope, id, { reply_to_email: null }, null),
  embed_origins: (scope, id) => updateProperty(scope, id, { embed_origins: [] }, null),
  custom_domain: (scope, id) => updateProperty(scope, id, { custom_domain: null }, null),
};

/**
 * Ends what was chosen of the member's belongings and then the membership, so that a failure in between leaves a member
 * who can be removed again. Throws resource_missing, and invalid_field for the last owner.
 */
export async function removeMember(doer: Doer, { id, end }: MemberRemoval): Promise<void> {
  const { team_id, user, ip } = doer;
  const member = await repository.findMember(team_id, id);
  const is_last_owner = member?.role === 'owner' && (await repository.countOwners(team_id)) === 1;
  const endAll = async (belongings: readonly Belonging[]) => {
    for (const { kind, id: of, mode } of belongings) {
      const scope: Scope = { team_id, mode, ip, actor: { kind: 'user', id: user.id, name: user.name, role: 'owner' } };
      await END[kind](scope, of);
    }
  };
  // The last owner is refused below, with nothing ended.
  const seen = member && !is_last_owner ? await belongingsOf(team_id, member) : [];
  const isAmong = (list: readonly Pick<Belonging, 'kind' | 'id'>[], one: Belonging) =>
    list.some(({ kind, id: of }) => kind === one.kind && of === one.id);
  await endAll(seen.filter((one) => (end ? isAmong(end, one) : one.gives_data)));
  await changeMember(doer, id, 'remove');
  // What the member made while this went on: nothing more can come (accounts/held-membership.ts).
  if (member)
    await endAll((await belongingsOf(team_id, member)).filter((one) => one.gives_data && !isAmong(seen, one)));
}
