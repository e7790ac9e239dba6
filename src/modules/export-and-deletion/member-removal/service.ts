/**
 * Removes or demotes a member, and ends what the member set up. Endpoints and keys work without
 * their author, so a removed member could still receive the team's data through them. Push
 * subscriptions, sessions in the team and pending device logins always end, because their rows
 * belong to the membership.
 */

import {
  type ActingUser,
  type MemberAccessUpdate,
  updateMemberAccessOrRemoveMember,
} from '@/modules/accounts/members.service';
import type { MemberRoleChangeInput } from '@/modules/accounts/schemas';
import { revokeApiKey } from '@/modules/api-keys/service';
import { updateProperty } from '@/modules/properties/service';
import { withdrawSharedDeliveriesLink } from '@/modules/webhooks/portal/portal';
import { updateEndpoint } from '@/modules/webhooks/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Mode, Scope } from '@/shared/scope';
import * as repository from './repository';
import type { MemberOwnedResource, MemberRemovalInput } from './schemas';

const ENDPOINT_ACTIONS = ['webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.portal_shared'];
const EMBEDDING = 'property.embedding_changed';

/**
 * Lists what a member set up that still works, such as webhook endpoints and API keys. Items with
 * `gives_data` come first. Throws resource_missing.
 */
export async function listMemberOwnedResources(team_id: string, member_id: string): Promise<MemberOwnedResource[]> {
  const member = await repository.findMember(team_id, member_id);
  if (!member) throw new AppError('resource_missing', { message: createRefusal('no_such_member') });
  return belongingsOf(team_id, member);
}

type Member = NonNullable<Awaited<ReturnType<typeof repository.findMember>>>;

async function belongingsOf(team_id: string, { userId: user_id, user }: Member): Promise<MemberOwnedResource[]> {
  const now = clock().now();
  const endpoints = await repository.findTeamEndpoints(team_id);
  // Includes the account's earlier addresses, because the member may still receive mail there.
  const changes = await repository.findAuditEntries(team_id, ['user.email_changed'], [user_id]);
  const earlier = changes.flatMap(({ data }) => (data as { from?: string }).from ?? []);
  const addresses = [user.email, ...earlier].map((address) => address.toLowerCase());
  const properties = await repository.findPropertiesThatMayUseMemberResources(team_id, addresses);
  const ids = [...endpoints, ...properties].map(({ id }) => id);
  const audit = await repository.findAuditEntries(team_id, [...ENDPOINT_ACTIONS, EMBEDDING], ids);
  const entriesOf = (id: string, ...actions: string[]) =>
    audit.filter((entry) => entry.object_id === id && actions.includes(entry.action));

  const own_endpoints = endpoints.filter(({ id, url, status }) => {
    // An endpoint belongs to the member who first set its current URL, even if another member
    // created it.
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
  const keys = await repository.findActiveApiKeysCreatedByMember(team_id, user_id, now);
  const replies = properties.filter(({ reply_to_email }) => addresses.includes(reply_to_email?.toLowerCase() ?? ''));
  const embeds = properties.filter(
    ({ id, embed_origins }) => embed_origins.length > 0 && entriesOf(id, EMBEDDING).at(-1)?.actor === user_id,
  );
  // Verified domains are listed for every member. The service does not record who verified a
  // domain, but the owner knows who controls it.
  const domains = properties.filter(({ custom_domain_verified_at }) => custom_domain_verified_at !== null);
  const shown =
    (kind: MemberOwnedResource['kind'], gives_data: boolean) =>
    (row: { id: string; mode: MemberOwnedResource['mode'] }, name: string) => ({
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

/** Returns whether a member with the new role may keep this endpoint, key, link or setting. */
function mayKeep({ role, sees_guests }: MemberAccessUpdate, { kind, mode }: MemberOwnedResource): boolean {
  if (role === 'owner') return true;
  if (role === 'developer') return mode === 'test' || sees_guests === true;
  return role === 'manager' && kind === 'reply_address';
}

/**
 * Changes a member's role. Before that, ends what the member set up (such as API keys and webhook
 * endpoints) if it gives access to data and the new role may not set it up. If the change of the
 * role fails, the call can be repeated. Throws resource_missing, and invalid_field for the last
 * owner.
 */
export async function changeMemberRole(
  doer: ActingUser,
  mode: Mode,
  { id, property_ids, ...change }: MemberRoleChangeInput,
): Promise<void> {
  const { team_id } = doer;
  const member = await repository.findMember(team_id, id);
  const assigned = property_ids && { mode, property_ids };
  const to = { ...change, sees_guests: change.sees_guests ?? member?.sees_guests };
  const beyond = async () =>
    member ? (await belongingsOf(team_id, member)).filter((one) => one.gives_data && !mayKeep(to, one)) : [];
  if (member?.role === 'owner' && change.role !== 'owner' && (await repository.countOwners(team_id)) === 1)
    return updateMemberAccessOrRemoveMember(doer, id, { ...change, assigned });
  await endAll(doer, await beyond());
  await updateMemberAccessOrRemoveMember(doer, id, { ...change, assigned });
  // Disables what the member set up between the first call of `beyond` and the change of the role.
  // From now on the member has the new role and cannot set up anything that it forbids
  // (accounts/lock-membership.ts).
  await endAll(doer, await beyond());
}

async function endAll({ team_id, user, ip }: ActingUser, belongings: readonly MemberOwnedResource[]): Promise<void> {
  for (const { kind, id, mode } of belongings) {
    const scope: Scope = { team_id, mode, ip, actor: { kind: 'user', id: user.id, name: user.name, role: 'owner' } };
    await END[kind](scope, id);
  }
}

const END: Record<MemberOwnedResource['kind'], (scope: Scope, id: string) => Promise<unknown>> = {
  // The endpoint is disabled, not deleted, so that the owner can continue to use it with another
  // URL.
  webhook_endpoint: (scope, id) => updateEndpoint(scope, id, { status: 'disabled' }, null),
  portal_link: withdrawSharedDeliveriesLink,
  api_key: revokeApiKey,
  reply_address: (scope, id) => updateProperty(scope, id, { reply_to_email: null }, null),
  embed_origins: (scope, id) => updateProperty(scope, id, { embed_origins: [] }, null),
  custom_domain: (scope, id) => updateProperty(scope, id, { custom_domain: null }, null),
};

/**
 * Ends the chosen endpoints, keys, links and settings of a member, then the membership. If the
 * second step fails, the call can be repeated. Throws resource_missing, and invalid_field for the
 * last owner.
 */
export async function removeMember(doer: ActingUser, { id, end }: MemberRemovalInput): Promise<void> {
  const { team_id } = doer;
  const member = await repository.findMember(team_id, id);
  const is_last_owner = member?.role === 'owner' && (await repository.countOwners(team_id)) === 1;
  // Nothing is ended for the last owner, because the last owner cannot be removed.
  // `updateMemberAccessOrRemoveMember` throws below.
  const seen = member && !is_last_owner ? await belongingsOf(team_id, member) : [];
  const isAmong = (list: readonly Pick<MemberOwnedResource, 'kind' | 'id'>[], one: MemberOwnedResource) =>
    list.some(({ kind, id: of }) => kind === one.kind && of === one.id);
  await endAll(
    doer,
    seen.filter((one) => (end ? isAmong(end, one) : one.gives_data)),
  );
  await updateMemberAccessOrRemoveMember(doer, id, 'remove');
  // Ends what the member set up after `seen` was read. From now on the member can set up nothing
  // more (accounts/lock-membership.ts).
  if (member)
    await endAll(
      doer,
      (await belongingsOf(team_id, member)).filter((one) => one.gives_data && !isAmong(seen, one)),
    );
}
