/**
 * A terminal gets a key without anybody pasting one (OAuth 2.0 Device Authorization Grant, RFC 8628): it shows a code, an owner
 * types the code in the dashboard and says yes, and the terminal, which asks all the while, is answered with a key once.
 * The key is made at the moment of that answer, so that none lies about; both codes are stored as hashes.
 */

import { createHmac } from 'node:crypto';
import { appSecret } from '@/config';
import { inSystemTransaction } from '@/infra/db/transaction';
import { deriveKey, hashToken } from '@/infra/encryption';
import { countTry } from '@/modules/accounts/tallies/tries';
import { recordTeamAudit } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { addressBucket } from '@/shared/ip';
import { refusal } from '@/shared/refusals/refusal';
import type { Mode, Scope } from '@/shared/scope';
import { KEYS_PER_MODE, keyState } from '../rules';
import { hasScope, isScope } from '../scopes';
import { createKey, listKeys } from '../service';
import {
  INTERVAL_S,
  KEY_DAYS,
  keyName,
  LOGIN_MINUTES,
  newDeviceCode,
  newUserCode,
  readUserCode,
  showUserCode,
} from './codes.rules';
import * as repository from './device-login.repository';

const LOGIN_MS = LOGIN_MINUTES * 60_000;
const DAY_MS = 86_400_000;
/** Of one address, in the time that a code lives. */
const LOGINS_OF_AN_ADDRESS = 20;
/** Codes that one person may try in that time. */
const CODES_OF_A_PERSON = 20;

export interface NewLogin {
  device_code: string;
  user_code: string;
}

/** A terminal begins to wait. Throws rate_limit_exceeded. */
export async function beginLogin(device: {
  device_name: string | null;
  key_mode: Mode;
  scopes: readonly string[];
  ip: string | null;
}): Promise<NewLogin> {
  await countTry(`device_login:${addressBucket(device.ip)}`, LOGINS_OF_AN_ADDRESS, LOGIN_MS);
  const [device_code, user_code] = [newDeviceCode(), newUserCode()];
  const now = clock().now();
  await repository.insertLogin({
    ...device,
    scopes: [...device.scopes],
    device_code_hash: hashToken(device_code),
    user_code_hash: hashUserCode(user_code),
    interval_s: INTERVAL_S,
    created_at: now,
    expires_at: new Date(now.getTime() + LOGIN_MS),
  });
  return { device_code, user_code: showUserCode(user_code) };
}

const hashUserCode = (code: string): string =>
  createHmac('sha256', deriveKey(appSecret(), 'device_login')).update(code).digest('hex');

const noSuchCode = () =>
  new AppError('resource_missing', { param: 'user_code', message: refusal('no_terminal_is_waiting') });

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Who waits with a code, for an owner who is about to answer. Throws resource_missing, rate_limit_exceeded. */
export async function findLogin(scope: Scope, person: Person, user_code: string) {
  const row = await repository.findWaiting(await tryCode(person, user_code), clock().now());
  if (!row) throw noSuchCode();
  const { device_name, ip, key_mode: mode, scopes, expires_at } = row;
  return { device_name, ip, mode, scopes, expires_at, key_name: keyName(device_name), ...(await room(scope, mode)) };
}

/** A right code counts too: what is tried at the same time is not seen as none. */
async function tryCode(person: Person, user_code: string): Promise<string> {
  await countTry(`device_code:${person.id}`, CODES_OF_A_PERSON, LOGIN_MS);
  const code = readUserCode(user_code);
  if (!code) throw noSuchCode();
  return hashUserCode(code);
}

async function room(scope: Scope, mode: Mode): Promise<{ active: number; limit: number }> {
  const keys = await listKeys({ ...scope, mode });
  const now = clock().now();
  return { active: keys.filter((key) => keyState(key, now) === 'active').length, limit: KEYS_PER_MODE };
}

export interface Grant {
  /** Null: everything. */
  readonly scopes: readonly string[] | null;
  readonly days: number;
}

type Answer = Parameters<typeof repository.answerWaiting>[2];

/**
 * An owner lets the terminal have a key of the team, for what was asked or less, for some days. Throws resource_missing
 * (it was answered already, or it is too late), invalid_field, rate_limit_exceeded and insufficient_scope. Whether there
 * is room for a key is checked when it is made.
 */
export const allowLogin = (scope: Scope, person: Person, user_code: string, grant: Grant): Promise<void> =>
  answerLogin(scope, person, user_code, 'api_key.device_allowed', (member_id, asked) => ({
    member_id,
    scopes: narrowed(asked, grant.scopes),
    key_days: grant.days,
  }));

/** The scopes to store. Throws invalid_field for more than was asked for: the owner did not see that. */
function narrowed(asked: readonly string[], given: readonly string[] | null): string[] {
  if (given === null && asked.length === 0) return [];
  const beyond = asked.length > 0 && (given ?? []).some((name) => !isScope(name) || !hasScope(asked, name));
  if (given === null || given.length === 0 || beyond)
    throw new AppError('invalid_field', { param: 'scopes', message: refusal('allow_no_more') });
  return [...new Set(given)];
}

/** The terminal is refused. Throws as allowLogin does. */
export const refuseLogin = (scope: Scope, person: Person, user_code: string): Promise<void> =>
  answerLogin(scope, person, user_code, 'api_key.device_refused', () => ({ refused_at: clock().now() }));

async function answerLogin(
  scope: Scope,
  person: Person,
  user_code: string,
  action: 'api_key.device_allowed' | 'api_key.device_refused',
  answer: (member_id: string, asked: readonly string[]) => Answer,
): Promise<void> {
  const hash = await tryCode(person, user_code);
  const { team_id, ip = null } = scope;
  await inSystemTransaction(async () => {
    const member_id = await repository.findOwner(team_id, person.id);
    if (!member_id) throw new AppError('insufficient_scope', { message: refusal('only_the_owner') });
    const now = clock().now();
    const waiting = await repository.findWaiting(hash, now);
    const row = waiting && (await repository.answerWaiting(hash, now, answer(member_id, waiting.scopes)));
    if (!row) throw noSuchCode();
    const data = {
      name: keyName(row.device_name),
      mode: row.key_mode,
      scopes: row.scopes,
      days: row.key_days ?? '',
      asked_from: row.ip ?? '',
    };
    await recordTeamAudit({ team_id, action, actor: person.id, actor_name: person.name, ip, data });
  });
}

/** What a terminal is answered; the words are RFC 8628's and RFC 6749's. */
export type PollAnswer =
  | { key: string; mode: Mode; scopes: readonly string[]; expires_in: number }
  | {
      error: 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant';
      because?: string;
    };

/** A terminal asks for its key. It is made here and given once: of two who ask at once, one gets it. */
export async function pollLogin(device_code: string, ip: string | null): Promise<PollAnswer> {
  const row = await repository.findByDeviceCode(hashToken(device_code));
  const now = clock().now();
  if (!row) return { error: 'invalid_grant' };
  if (row.expires_at <= now) return { error: 'expired_token' };
  if (!(await repository.notePoll(row, now, INTERVAL_S))) return { error: 'slow_down' };
  if (row.refused_at) return { error: 'access_denied' };
  const { member, key_mode: mode, scopes, device_name, device_code_hash } = row;
  const valid_ms = (row.key_days ?? KEY_DAYS) * DAY_MS;
  if (!member) return { error: 'authorization_pending' };
  if (!(await repository.takeLogin(device_code_hash))) return { error: 'invalid_grant' };
  if (member.role !== 'owner') return { error: 'access_denied', because: 'Who allowed it is no owner any more.' };
  const actor = { kind: 'user', id: member.userId, name: member.user.name, role: member.role } as const;
  const scope: Scope = { team_id: member.organizationId, mode, actor, ip };
  try {
    const { key } = await createKey(scope, {
      name: keyName(device_name),
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
