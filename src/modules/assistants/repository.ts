/**
 * Queries on the OAuth provider's tables. The rows belong to users, who may be in several teams.
 */
import { z } from 'zod';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';

export const findOauthClient = (clientId: string) => systemDb().oauthClient.findUnique({ where: { clientId } });

interface TokenRow {
  connection_id: string;
  client_id: string;
  client_name: string | null;
  user_id: string;
  reference_id: string;
  factor_proven: boolean;
  scopes: string[];
}

/** Finds an unexpired access token. Its scopes are limited to the scopes of the current consent. */
export async function findAccessToken(token: string, now: Date): Promise<TokenRow | null> {
  const [row] = await systemDb().$queryRaw<TokenRow[]>`
    SELECT c.id AS connection_id, c.client_id, o.name AS client_name, c.user_id, c.reference_id, c.factor_proven,
      ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(c.scopes)) AS scopes
    FROM oauth_access_tokens t
    JOIN oauth_consents c ON c.client_id = t.client_id AND c.user_id = t.user_id AND c.reference_id = t.reference_id
    JOIN oauth_clients o ON o.client_id = c.client_id
    WHERE t.token = ${token} AND t.expires_at > ${now.toISOString()}::timestamptz AND t.created_at >= c.created_at`;
  return row ?? null;
}

/** Identifies the connection to which a code or refresh token belongs. */
export interface AssistantConnectionIdentity {
  readonly clientId: string;
  readonly userId: string;
  readonly referenceId: string;
}

const OWNER = { clientId: true, userId: true, referenceId: true } as const;

/** Returns the connection of a refresh token, or null when the token is not stored. */
export const findAssistantConnectionByRefreshToken = (token: string): Promise<AssistantConnectionIdentity | null> =>
  systemDb().oauthRefreshToken.findUnique({ where: { token }, select: OWNER });

/** An authorization code, as the provider stores it. */
const StoredCode = z.object({
  query: z.object({ client_id: z.string() }),
  userId: z.string(),
  referenceId: z.string(),
});

/**
 * Returns the connection of a code, or null when the code was used, has expired or never existed.
 */
export async function findAssistantConnectionByOauthCode(code: string): Promise<AssistantConnectionIdentity | null> {
  const row = await systemDb().verification.findFirst({ where: { identifier: code } });
  const { success, data } = StoredCode.safeParse(row && JSON.parse(row.value));
  return success ? { clientId: data.query.client_id, userId: data.userId, referenceId: data.referenceId } : null;
}

const usedCode = (code: string) => `oauth-used-code:${code}`;

/**
 * Records that a code was exchanged. The row is stored until no token from that exchange can be
 * valid.
 */
export async function insertUsedOauthCode(
  code: string,
  owner: AssistantConnectionIdentity,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  const identifier = usedCode(code);
  const row = { id: identifier, identifier, value: JSON.stringify(owner), expiresAt, createdAt: now };
  await systemDb().verification.createMany({ data: [row], skipDuplicates: true });
}

/** Returns the connection of a code that was already exchanged. */
export async function findAssistantConnectionByUsedOauthCode(
  code: string,
): Promise<AssistantConnectionIdentity | null> {
  const row = await systemDb().verification.findUnique({ where: { id: usedCode(code) } });
  return row ? (JSON.parse(row.value) as AssistantConnectionIdentity) : null;
}

/** Returns the member's consent for a connection. */
export const findAssistantConsent = ({ clientId, userId, referenceId }: AssistantConnectionIdentity) =>
  systemDb().oauthConsent.findUnique({
    where: { clientId_userId_referenceId: { clientId, userId, referenceId } },
    select: { id: true, updatedAt: true, factor_proven: true },
  });

export async function deleteAssistantConnectionTokens({
  clientId,
  userId,
  referenceId,
}: AssistantConnectionIdentity): Promise<void> {
  const where = { clientId, userId, referenceId };
  await systemDb().oauthAccessToken.deleteMany({ where });
  await systemDb().oauthRefreshToken.deleteMany({ where });
}

interface ConnectionRow {
  id: string;
  client_id: string;
  user_id: string;
  reference_id: string;
  mode: Mode;
  client_name: string | null;
  redirect_uris: string[];
  person: string;
  scopes: string[];
  created_at: Date;
  renewed_at: Date | null;
}

/** Records whether the session that gave a consent had used a second factor. */
export const storeWhetherConsentUsedSecondFactor = (consent: AssistantConnectionIdentity, factor_proven: boolean) =>
  systemDb().oauthConsent.updateMany({ where: { ...consent }, data: { factor_proven } });

/** Returns the connections of a team's members, newest first. */
export const findAssistantConnections = (team_id: string) => systemDb().$queryRaw<ConnectionRow[]>`
  SELECT c.id, c.client_id, c.user_id, c.reference_id, split_part(c.reference_id, ':', 2) AS mode, o.name AS client_name, o.redirect_uris, u.name AS person,
    c.scopes, c.updated_at AS created_at,
    (SELECT max(t.created_at) FROM oauth_access_tokens t
     WHERE t.client_id = c.client_id AND t.user_id = c.user_id AND t.reference_id = c.reference_id) AS renewed_at
  FROM members m
  JOIN oauth_consents c ON c.reference_id IN (m.id || ':live', m.id || ':test')
  JOIN oauth_clients o ON o.client_id = c.client_id
  JOIN users u ON u.id = c.user_id
  WHERE m.team_id = ${team_id} ORDER BY c.updated_at DESC, c.id DESC`;

/**
 * Deletes a connection and its tokens. Call it inside a transaction. Returns whether the connection
 * still existed.
 */
export async function deleteAssistantConnection({
  id,
  client_id: clientId,
  user_id: userId,
  reference_id: referenceId,
}: Pick<ConnectionRow, 'id' | 'client_id' | 'user_id' | 'reference_id'>): Promise<boolean> {
  const { count } = await systemDb().oauthConsent.deleteMany({ where: { id } });
  await deleteAssistantConnectionTokens({ clientId, userId, referenceId });
  return count === 1;
}
