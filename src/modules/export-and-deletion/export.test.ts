import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAppSecret, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { encryptBytes } from '@/infra/encryption';
import { createTeam } from '@/modules/accounts/service';
import { handleAuthRequest } from '@/modules/accounts/sign-in/auth';
import { isProgramInstalled, runExternalProgram, writeTemporaryFile } from '@/modules/certificates/testing/tools';
import { MAIL_ENCRYPTION_PURPOSE } from '@/modules/forwarded-mail/receive';
import { encryptFeedUrl } from '@/modules/sync-sources/service';
import { clock, setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneRowPerTable } from '@/testing/one-row-per-table';
import { clearDatabase, insertProperty, insertTeam, insertTeams } from '@/testing/team';
import { unpackZip } from '@/testing/unzip';
import { createExportLink, EXPORT_LINK_LIFETIME_MS, isValidExportLink, streamExportArchive } from './export.service';
import { downloadTeamExport } from './http';
import { splitIntoJsonParts } from './json-parts';

const origin = 'http://localhost:4100';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: origin });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

let scope: Scope;
beforeEach(async () => {
  setClock(null);
  await clearDatabase();
  scope = await insertTeam();
});

async function take(of = scope): Promise<Map<string, Buffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of streamExportArchive(of)) parts.push(part);
  return unpackZip(Buffer.concat(parts));
}
const json = (files: Map<string, Buffer>, name: string) => JSON.parse(files.get(name)?.toString() ?? 'null');

/** Inserts reservations with equal creation times, so that only the id determines their order. */
async function insertReservations(count: number) {
  const at = clock().now();
  const property_id = (await systemDb().property.findFirst({ where: { mode: scope.mode } }))?.id;
  const own = {
    team_id: scope.team_id,
    mode: scope.mode,
    property_id: property_id ?? (await insertProperty(scope)),
    created_at: at,
    updated_at: at,
  };
  const stay = { checkin_date: at, checkout_date: new Date(at.getTime() + 86_400_000) };
  await systemDb().reservation.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      ...own,
      ...stay,
      id: newId('reservation'),
      guest_name: `Guest ${index}`,
    })),
  });
}

/** Renames the only signature to `sig_1`. */
const renameSignature = (data: object) =>
  systemDb().$transaction([
    systemDb().signature.updateMany({ data: { ...data, id: 'sig_1' } }),
    systemDb().reservation.updateMany({ data: { signature_id: 'sig_1' } }),
  ]);

describe('an export', () => {
  it('has every row of both modes, and states their number', async () => {
    await insertOneRowPerTable(scope.team_id, 'live');
    await insertOneRowPerTable(scope.team_id, 'test');
    await insertReservations(450);
    const files = await take();
    const { rows } = json(files, 'contents.json');
    expect(rows).toMatchObject({ 'live/reservations': 451, 'test/reservations': 1, audit_log: 3 });
    expect(Object.values(rows)).not.toContain(0);
    for (const [name, count] of Object.entries(rows))
      expect(json(files, `${name}.json`), name).toHaveLength(count as number);
    const ids = json(files, 'live/reservations.json').map((row: { id: string }) => row.id);
    expect(new Set(ids).size).toBe(451);
  });

  it('has nothing of another team', async () => {
    const other = await insertTeam('live', 'otto@example.com');
    await insertOneRowPerTable(other.team_id, 'live');
    const text = [...(await take()).values()].join('\n');
    expect(text).not.toContain(other.team_id);
    expect(text).not.toContain('otto@example.com');
  });

  it('has no hash, secret or token', async () => {
    await insertOneRowPerTable(scope.team_id, 'live');
    const files = await take();
    const suspicious = new Set<string>();
    for (const [name, bytes] of files) {
      if (!name.startsWith('live/') || !name.endsWith('.json')) continue;
      for (const key of Object.keys(JSON.parse(bytes.toString())[0] ?? {})) {
        if (/hash|secret|token|password/.test(key)) suspicious.add(`${name} ${key}`);
      }
    }
    expect([...suspicious].sort()).toEqual([
      // None of these values is a secret. `secret_last4` only helps to distinguish secrets.
      'live/certificates.json content_hash',
      'live/reservations.json token_generation',
      'live/snapshots.json content_hash',
      'live/trail_entries.json hash',
      'live/trail_entries.json prev_hash',
      'live/webhook_endpoints.json secret_last4',
    ]);
  });

  it('contains decrypted photos, forwarded mails and calendar addresses, and the sealed PDFs', async () => {
    await insertOneRowPerTable(scope.team_id, 'live');
    const photo = encryptBytes(getAppSecret(), 'guest-photo', Buffer.from('a photo'));
    await renameSignature({ pdf: Buffer.from('%PDF-1.7'), photo, sealed_at: clock().now(), pdf_sha256: 'a' });
    const raw = encryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, Buffer.from('From: a@b.c'));
    await systemDb().inboundMail.updateMany({ data: { id: 'inb_1', raw } });
    await systemDb().syncSource.updateMany({ data: { feed_url: encryptFeedUrl('https://feed.example/a.ics') } });
    const files = await take();
    expect(files.get('live/certificates/sig_1.pdf')?.toString()).toBe('%PDF-1.7');
    expect(files.get('live/certificates/sig_1-photo.jpg')?.toString()).toBe('a photo');
    expect(json(files, 'live/sync_sources.json')).toMatchObject([{ feed_url: 'https://feed.example/a.ics' }]);
    expect(files.get('live/inbound_mails/inb_1.eml')?.toString()).toBe('From: a@b.c');
  });

  it('has the team with its members, but no invitation link', async () => {
    await systemDb().invitation.create({
      data: {
        id: 'inv_secret',
        organizationId: scope.team_id,
        email: 'mia@example.com',
        inviterId: (await systemDb().user.findFirstOrThrow()).id,
        expiresAt: clock().now(),
      },
    });
    const files = await take();
    expect(json(files, 'team.json')).toMatchObject({
      name: 'Sea View',
      members: [{ role: 'owner', user: { email: 'owner@example.com' } }],
      invitations: [{ email: 'mia@example.com' }],
    });
    expect([...files.values()].join('\n')).not.toContain('inv_secret');
  });

  it.each([
    // The service sets these columns itself.
    ['teams', 'team', ['is_first', 'logo', 'metadata']],
    ['members', 'member', ['team_id', 'user_id']],
  ] as const)('has every column of %s except those without information about the team', async (table, of, left_out) => {
    const columns = await systemDb().$queryRaw<{ name: string }[]>`
      SELECT column_name::text AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${table}`;
    const team = json(await take(), 'team.json') as unknown as { members: object[] };
    const camel = (name: string) => name.replace(/_at$/, 'At');
    const shown = new Set(Object.keys(of === 'team' ? team : (team.members[0] ?? {})));
    const lacking = columns.map(({ name }) => name).filter((name) => !shown.has(name) && !shown.has(camel(name)));
    expect(lacking.sort()).toEqual([...left_out].sort());
  });

  it.skipIf(!isProgramInstalled('unzip'))('is complete when unpacked by an independent program', async () => {
    await insertOneRowPerTable(scope.team_id, 'live');
    const parts: Uint8Array[] = [];
    for await (const part of streamExportArchive(scope)) parts.push(part);
    expect(runExternalProgram('unzip', ['-tq', writeTemporaryFile('export.zip', Buffer.concat(parts))])).toContain(
      'No errors detected',
    );
  });
});

describe('a long table', () => {
  async function parts(count: number, size: number) {
    async function* rows() {
      for (let id = 0; id < count; id++) yield { id, big: 3n };
    }
    const found: { id: number; big: number }[][] = [];
    for await (const { text, count: counted } of splitIntoJsonParts(rows(), size)) {
      found.push(JSON.parse(text));
      expect(found.at(-1)).toHaveLength(counted);
    }
    return found;
  }

  it('is split into several files, each complete, without losing a row', async () => {
    const found = await parts(100, 200);
    expect(found.length).toBeGreaterThan(5);
    expect(found.flat()).toEqual(Array.from({ length: 100 }, (_, id) => ({ id, big: 3 })));
  });

  it('is one empty array when it has no rows, and has no empty part at its end', async () => {
    expect(await parts(0, 200)).toEqual([[]]);
    expect(await parts(2, 1)).toEqual([[{ id: 0, big: 3 }], [{ id: 1, big: 3 }]]);
  });
});

describe('the download', () => {
  const owner = { email: 'olga@example.com', password: 'a long password' };
  let cookie: string;
  let user_id: string;
  beforeEach(async () => {
    const { team } = await createTeam({ name: 'One', owner_email: owner.email, owner_password: owner.password });
    scope = { ...scope, team_id: team.id };
    const response = await handleAuthRequest(
      new Request(`${origin}/api/auth/sign-in/email`, {
        method: 'POST',
        body: JSON.stringify(owner),
        headers: { 'content-type': 'application/json', origin, 'x-threshold-client-ip': '127.0.0.1' },
      }),
    );
    cookie = response.headers
      .getSetCookie()
      .map((item) => item.split(';', 1)[0])
      .join('; ');
    user_id = (await systemDb().user.findFirstOrThrow({ where: { email: owner.email } })).id;
  });
  const get = (url: string, headers: Record<string, string> = { cookie }) =>
    downloadTeamExport(new Request(origin + url, { headers }));
  const later = (ms: number) => {
    const at = new Date(Date.now() + ms);
    setClock({ now: () => at });
  };

  it.each<[string, () => Promise<unknown>]>([
    ['its reader is removed', () => systemDb().member.deleteMany({ where: { userId: user_id } })],
    ['its reader is no longer an owner', () => systemDb().member.updateMany({ data: { role: 'member' } })],
  ])('is aborted when %s meanwhile, so that a partial file cannot pass as complete', async (_when, change) => {
    await insertReservations(450);
    const { url } = await createExportLink(scope, user_id);
    const reader = (await get(url)).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await change();
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done) return;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('is a ZIP for the link’s owner, and both the link and the download are in the audit log', async () => {
    const { url } = await createExportLink(scope, user_id);
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const files = unpackZip(Buffer.from(await response.arrayBuffer()));
    expect(files.has('contents.json')).toBe(true);
    const log = await systemDb().auditLog.findMany({
      where: { team_id: scope.team_id },
      orderBy: { id: 'desc' },
      take: 2,
    });
    expect(log.map(({ action }) => action)).toEqual(['data.exported', 'data.export_requested']);
  });

  it('requires a session, an unexpired link, and the same owner and team', async () => {
    const { url } = await createExportLink(scope, user_id);
    expect((await get(url, {})).status).toBe(401);
    expect((await get((await createExportLink(scope, 'user_other')).url)).status).toBe(403);
    await insertTeams('team_other');
    expect((await get((await createExportLink({ ...scope, team_id: 'team_other' }, user_id)).url)).status).toBe(401);
    expect((await get(`/api/export.zip?team=${scope.team_id}`)).status).toBe(403);
    later(EXPORT_LINK_LIFETIME_MS);
    expect((await get(url)).status).toBe(403);
  });

  it('has a link whose expiry cannot be changed', async () => {
    const { url } = await createExportLink(scope, user_id);
    const query = Object.fromEntries(new URL(url, origin).searchParams);
    expect(isValidExportLink(scope.team_id, user_id, query)).toBe(true);
    const later = String(Number(query.expires) + 1);
    expect(isValidExportLink(scope.team_id, user_id, { ...query, expires: later })).toBe(false);
  });

  it('is refused to a member who is no longer an owner, even with the link', async () => {
    const { url } = await createExportLink(scope, user_id);
    await systemDb().member.updateMany({ data: { role: 'member' } });
    expect((await get(url)).status).toBe(403);
  });

  it('runs once at a time, and again after an aborted download', async () => {
    await insertReservations(1000);
    const { url } = await createExportLink(scope, user_id);
    const first = await get(url);
    const reader = first.body?.getReader();
    await reader?.read();
    expect((await get(url)).status).toBe(429);
    await reader?.cancel();
    const again = await get(url);
    expect(again.status).toBe(200);
    expect(unpackZip(Buffer.from(await again.arrayBuffer())).has('contents.json')).toBe(true);
  });
});
