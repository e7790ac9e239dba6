/**
 * A shared page with the deliveries of one endpoint, for the receiver's developer, who has no
 * account. Its link expires and can be withdrawn. The page contains no secrets, because they would
 * remain valid after the link has expired. It omits the signing secret, the values of added
 * headers, and links that grant access.
 */
import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { maskAccessGrantingFields, maskValuesInText } from '@/events/access-granting-fields';
import { inTransaction } from '@/infra/db/transaction';
import { hashToken } from '@/infra/encryption';
import { lockMembership } from '@/modules/accounts/lock-membership';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { serializeDeliveryAttemptWithRequest } from '../delivery-log';
import { retrieveEndpoint } from '../service';
import * as repository from './portal.repository';

const DAY_MS = 86_400_000;
const PAGE = 20;

/** Creates a link and invalidates the previous one. Throws resource_missing. */
export async function createSharedDeliveriesLink(scope: Scope, id: string, days: number) {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(clock().now().getTime() + days * DAY_MS);
  await inTransaction(scope, async () => {
    await lockMembership(scope);
    const { url } = await retrieveEndpoint(scope, id);
    await repository.saveSharedDeliveriesLink(scope, id, { token_hash: hashToken(token), expires_at });
    await recordAuditEntry(scope, { action: 'webhook_endpoint.portal_shared', object_id: id, data: { url, days } });
  });
  return { url: `${config().app_url}/portal/${token}`, expires_at: expires_at.toISOString() };
}

/** Withdraws the link. Throws resource_missing. */
export async function withdrawSharedDeliveriesLink(scope: Scope, id: string): Promise<void> {
  await inTransaction(scope, async () => {
    const { url, portal_token_hash } = await retrieveEndpoint(scope, id);
    if (!portal_token_hash) return;
    await repository.saveSharedDeliveriesLink(scope, id, null);
    await recordAuditEntry(scope, { action: 'webhook_endpoint.portal_withdrawn', object_id: id, data: { url } });
  });
}

/** Returns when the link expires. Throws resource_missing. */
export async function getSharedDeliveriesLinkStatus(scope: Scope, id: string) {
  const { portal_expires_at } = await retrieveEndpoint(scope, id);
  const works = portal_expires_at !== null && portal_expires_at > clock().now();
  return { expires_at: works ? portal_expires_at.toISOString() : null };
}

export type SharedDeliveriesPageData = NonNullable<Awaited<ReturnType<typeof loadSharedDeliveriesPage>>>;

/** Returns the page of a link, or null for an unknown, expired or withdrawn link. */
export async function loadSharedDeliveriesPage(token: string, after: string | null) {
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const endpoint = await repository.findEndpointByDeliveriesLinkTokenHash(hashToken(token), clock().now());
  if (!endpoint?.portal_expires_at) return null;
  const { id, description, mode, status, events } = endpoint;
  const scope = createSystemScope(endpoint.team_id, mode, 'portal');
  const rows = await repository.listDeliveryAttemptsWithBodies(scope, id, after, PAGE + 1);
  const url = withoutQuery(endpoint.url);
  const attempts = rows.slice(0, PAGE).map((row) => {
    const { text, hidden } = maskAccessGrantingFields(row.event.body);
    const attempt = serializeDeliveryAttemptWithRequest(row, { ...endpoint, url }, text);
    const answered = attempt.response_body_truncated;
    const error_message = attempt.error_message && String(attempt.error_message);
    return { ...attempt, error_message, response_body_truncated: answered && maskValuesInText(answered, hidden) };
  });
  return {
    endpoint: { id, url, description, mode, status, events },
    expires_at: endpoint.portal_expires_at.toISOString(),
    attempts,
    /** The cursor of the next page. Null on the last page. */
    more_after: rows.length > PAGE ? (attempts.at(-1)?.id ?? null) : null,
  };
}

/** Replaces the query of a URL with `?…`, because it may contain a password. */
function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && '?…'}`;
}
