/**
 * Issues an API key to a terminal without copying the key by hand (OAuth 2.0 Device Authorization
 * Grant, RFC 8628). The terminal displays a code. An owner enters the code in the dashboard and
 * approves the login. The terminal polls with its own secret until it receives the key. The key is
 * created during that last poll, so that no key is stored in the meantime. The displayed code and
 * the terminal's secret are stored only as hashes.
 */

import { createHmac } from 'node:crypto';
import { getAppSecret } from '@/config';
import { inSystemTransaction } from '@/infra/db/transaction';
import { deriveEncryptionKey, hashToken } from '@/infra/encryption';
import { countAttemptOrThrowOverLimit } from '@/modules/accounts/attempt-counters/attempts';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { assertMemberCanManageIntegrations } from '@/shared/assert-may-connect';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';
import { canManageIntegrations, parseRole } from '@/shared/roles';
import type { Mode, Scope } from '@/shared/scope';
import { getApiKeyState, MAX_API_KEYS_PER_MODE } from '../rules';
import { isApiKeyScopeName, isScopeGranted } from '../scopes';
import { createApiKey, listApiKeys } from '../service';
import {
  buildDeviceApiKeyName,
  DEFAULT_DEVICE_API_KEY_LIFETIME_DAYS,
  DEVICE_CODE_LIFETIME_MINUTES,
  DEVICE_LOGIN_POLL_INTERVAL_S,
  formatDeviceLoginUserCode,
  generateDeviceCode,
  generateDeviceLoginUserCode,
  parseDeviceLoginUserCode,
} from './codes.rules';
import * as repository from './device-login.repository';

const LOGIN_MS = DEVICE_CODE_LIFETIME_MINUTES * 60_000;
const DAY_MS = 86_400_000;
/** The maximum number of logins started from one address within the lifetime of a code. */
const MAX_LOGINS_PER_ADDRESS = 20;
/** The maximum number of codes that a user may enter within the lifetime of a code. */
const MAX_CODES_PER_PERSON = 20;

/** Starts a login. Throws rate_limit_exceeded. */
export async function beginDeviceLogin(device: {
  device_name: string | null;
  key_mode: Mode;
  scopes: readonly string[];
  ip: string | null;
}) {
  await countAttemptOrThrowOverLimit(
    `device_login:${getIpAddressRateLimitKey(device.ip)}`,
    MAX_LOGINS_PER_ADDRESS,
    LOGIN_MS,
  );
  const [device_code, user_code] = [generateDeviceCode(), generateDeviceLoginUserCode()];
  const now = clock().now();
  await repository.insertDeviceLogin({
    ...device,
    scopes: [...device.scopes],
    device_code_hash: hashToken(device_code),
    user_code_hash: hashUserCode(user_code),
    interval_s: DEVICE_LOGIN_POLL_INTERVAL_S,
    created_at: now,
    expires_at: new Date(now.getTime() + LOGIN_MS),
  });
  return { device_code, user_code: formatDeviceLoginUserCode(user_code) };
}

const hashUserCode = (code: string): string =>
  createHmac('sha256', deriveEncryptionKey(getAppSecret(), 'device_login')).update(code).digest('hex');

const noSuchCode = () =>
  new AppError('resource_missing', { param: 'user_code', message: createRefusal('no_terminal_is_waiting') });

export interface UserDecidingDeviceLogin {
  readonly id: string;
  readonly name: string;
}

/** Returns the pending login for a typed code. Throws resource_missing and rate_limit_exceeded. */
export async function findDeviceLogin(scope: Scope, person: UserDecidingDeviceLogin, user_code: string) {
  const row = await repository.findPendingDeviceLogin(await hashTypedCode(person, user_code), clock().now());
  if (!row) throw noSuchCode();
  const { device_name, ip, key_mode: mode, scopes, expires_at } = row;
  return {
    device_name,
    ip,
    mode,
    scopes,
    expires_at,
    key_name: buildDeviceApiKeyName(device_name),
    ...(await countKeys(scope, mode)),
  };
}

/** Hashes a typed code. Counts the attempt first, so that correct codes count too. */
async function hashTypedCode(person: UserDecidingDeviceLogin, user_code: string): Promise<string> {
  await countAttemptOrThrowOverLimit(`device_code:${person.id}`, MAX_CODES_PER_PERSON, LOGIN_MS);
  const code = parseDeviceLoginUserCode(user_code);
  if (!code) throw noSuchCode();
  return hashUserCode(code);
}

async function countKeys(scope: Scope, mode: Mode): Promise<{ active: number; limit: number }> {
  const keys = await listApiKeys({ ...scope, mode });
  const now = clock().now();
  return { active: keys.filter((key) => getApiKeyState(key, now) === 'active').length, limit: MAX_API_KEYS_PER_MODE };
}

export interface GrantedKeyScopesAndLifetime {
  /** Null means full access. */
  readonly scopes: readonly string[] | null;
  readonly days: number;
}

type Answer = Parameters<typeof repository.approveOrRefuseDeviceLogin>[2];

/**
 * Approves a login, so that the terminal can get a key with the granted scopes and lifetime. Throws
 * resource_missing when the login was answered or has expired, invalid_field, rate_limit_exceeded
 * and insufficient_scope. The limit on keys is checked when the key is created.
 */
export const allowDeviceLogin = (
  scope: Scope,
  person: UserDecidingDeviceLogin,
  user_code: string,
  grant: GrantedKeyScopesAndLifetime,
): Promise<void> =>
  answerLogin(scope, person, user_code, 'api_key.device_allowed', (member_id, asked) => ({
    member_id,
    scopes: narrowScopes(asked, grant.scopes),
    key_days: grant.days,
  }));

/**
 * Returns the scopes to store. Throws invalid_field when the grant is empty or exceeds the request.
 */
function narrowScopes(asked: readonly string[], given: readonly string[] | null): string[] {
  if (given === null && asked.length === 0) return [];
  const beyond =
    asked.length > 0 && (given ?? []).some((name) => !isApiKeyScopeName(name) || !isScopeGranted(asked, name));
  if (given === null || given.length === 0 || beyond)
    throw new AppError('invalid_field', { param: 'scopes', message: createRefusal('allow_no_more') });
  return [...new Set(given)];
}

/** Refuses a login. Throws the same errors as allowDeviceLogin. */
export const refuseDeviceLogin = (scope: Scope, person: UserDecidingDeviceLogin, user_code: string): Promise<void> =>
  answerLogin(scope, person, user_code, 'api_key.device_refused', () => ({ refused_at: clock().now() }));

async function answerLogin(
  scope: Scope,
  person: UserDecidingDeviceLogin,
  user_code: string,
  action: 'api_key.device_allowed' | 'api_key.device_refused',
  answer: (member_id: string, asked: readonly string[]) => Answer,
): Promise<void> {
  const hash = await hashTypedCode(person, user_code);
  const { team_id, ip = null } = scope;
  await inSystemTransaction(async () => {
    const member = await repository.findTeamMembership(team_id, person.id);
    if (!member) throw new AppError('insufficient_scope', { message: createRefusal('no_longer_in_team') });
    const now = clock().now();
    const waiting = await repository.findPendingDeviceLogin(hash, now);
    // The permission depends on the mode of the requested key, not on the mode of the page.
    if (waiting)
      assertMemberCanManageIntegrations({ ...scope, mode: waiting.key_mode, actor: actorOf(person, member) });
    const row = waiting && (await repository.approveOrRefuseDeviceLogin(hash, now, answer(member.id, waiting.scopes)));
    if (!row) throw noSuchCode();
    const data = {
      name: buildDeviceApiKeyName(row.device_name),
      mode: row.key_mode,
      scopes: row.scopes,
      days: row.key_days ?? '',
      asked_from: row.ip ?? '',
    };
    await recordTeamAuditEntry({ team_id, action, actor: person.id, actor_name: person.name, ip, data });
  });
}

const actorOf = (
  { id, name }: UserDecidingDeviceLogin,
  { role, sees_guests }: { role: string; sees_guests: boolean },
) => ({ kind: 'user', id, name, role: parseRole(role), sees_guests }) as const;

/** The result of a poll. `error` is an error code of RFC 8628 or RFC 6749. */
export type DeviceLoginPollResult =
  | { key: string; mode: Mode; scopes: readonly string[]; expires_in: number }
  | {
      error: 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant';
      because?: string;
    };

/**
 * Handles a poll. Creates the key and returns it. Of two concurrent polls, only one gets the key.
 */
export async function pollDeviceLogin(device_code: string, ip: string | null): Promise<DeviceLoginPollResult> {
  const row = await repository.findDeviceLoginByDeviceCode(hashToken(device_code));
  const now = clock().now();
  if (!row) return { error: 'invalid_grant' };
  if (row.expires_at <= now) return { error: 'expired_token' };
  if (!(await repository.recordDeviceLoginPoll(row, now, DEVICE_LOGIN_POLL_INTERVAL_S))) return { error: 'slow_down' };
  if (row.refused_at) return { error: 'access_denied' };
  const { member, key_mode: mode, scopes, device_name, device_code_hash } = row;
  const valid_ms = (row.key_days ?? DEFAULT_DEVICE_API_KEY_LIFETIME_DAYS) * DAY_MS;
  if (!member) return { error: 'authorization_pending' };
  if (!(await repository.deleteDeviceLogin(device_code_hash))) return { error: 'invalid_grant' };
  const actor = actorOf({ id: member.userId, name: member.user.name }, member);
  const scope: Scope = { team_id: member.organizationId, mode, actor, ip };
  if (!canManageIntegrations(scope))
    return { error: 'access_denied', because: 'Who allowed it may not make keys any more.' };
  try {
    const { key } = await createApiKey(scope, {
      name: buildDeviceApiKeyName(device_name),
      scopes: scopes.length > 0 ? scopes : null,
      created_by: member.userId,
      expires_at: new Date(now.getTime() + valid_ms),
    });
    return { key, mode, scopes, expires_in: valid_ms / 1000 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: 'access_denied', because: error.message };
  }
}
