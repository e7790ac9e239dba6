/**
 * Calls every procedure of the router as a member of each role, and checks which calls are allowed
 * and which data they reach. New procedures are found automatically. `UPDATE_ROLES=1` rewrites
 * roles.json. Review each changed line.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { TENANT_MODELS } from '@/infra/db/scoped-client';
import { insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import { createSyncSource } from '@/modules/sync-sources/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { type Mode, ROLES, type Role, type Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { addTestUserToTeams, insertTeam } from '@/testing/team';
import { listRoutes } from './rest/routes';
import { appRouter } from './router';
import type { ApiContext } from './trpc/context';

const FILE = path.join(import.meta.dirname, 'roles.json');
const names = Object.keys(appRouter._def.procedures).sort();

let team: Scope;
beforeAll(async () => {
  await openTestDatabase();
  team = await insertTeam();
  await addTestUserToTeams(team.team_id);
});
afterAll(closeTestDatabase);

interface As {
  role: Role;
  mode?: Mode;
  properties?: readonly string[];
  sees_guests?: boolean;
}

function callAs({ role, mode = 'live', properties, sees_guests }: As, name: string, input: unknown): Promise<unknown> {
  const user = { id: 'user_1', name: 'Olga', email: 'olga@example.com', role, session_id: 's' };
  const context: ApiContext = {
    request_id: 'req_1',
    surface: 'dashboard',
    scope: {
      team_id: team.team_id,
      mode,
      actor: { kind: 'user', id: 'user_1', name: 'Olga', role, sees_guests },
      ...(properties && { properties }),
    },
    user,
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  };
  const [space = '', verb = ''] = name.split('.');
  // biome-ignore lint/suspicious/noExplicitAny: any procedure, by its name.
  return (appRouter.createCaller(context) as any)[space][verb](input);
}

const ROLE_REFUSALS = ['role_may_not', 'only_the_owner', 'only_owners_and_developers', 'needs_guest_data'];

async function isRefused(as: As, name: string): Promise<boolean> {
  const error = await callAs(as, name, { nothing_has_this: 1 }).catch((thrown: unknown) => thrown);
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  return cause instanceof AppError && ROLE_REFUSALS.includes(cause.refusal?.key ?? '');
}

describe('permissions of the roles', () => {
  it('match roles.json', async () => {
    const allowed: Record<string, string> = {};
    for (const name of names) {
      const roles: string[] = [];
      for (const role of ROLES) {
        if (await isRefused({ role, mode: 'live', properties: role === 'co_host' ? [] : undefined }, name)) continue;
        roles.push(role);
      }
      const granted =
        !roles.includes('developer') && !(await isRefused({ role: 'developer', sees_guests: true }, name));
      const test = !(await isRefused({ role: 'developer', mode: 'test' }, name));
      allowed[name] = [
        ...roles,
        ...(granted ? ['developer who sees guests'] : []),
        ...(test && !granted && !roles.includes('developer') ? ['developer in test mode'] : []),
      ].join(', ');
    }
    if (process.env.UPDATE_ROLES) writeFileSync(FILE, `${JSON.stringify(allowed, null, 2)}\n`);
    expect(allowed, 'Run with UPDATE_ROLES=1 and review each line').toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
  });
});

/**
 * Data that results must not contain: for a co-host, data about guests of other properties, and for
 * a developer, data about any guest.
 */
const GUEST = {
  name: 'Zerlina Quillfeather',
  email: 'zerlina.quillfeather@guest.example',
  ip: '203.0.113.77',
  user_agent: 'ZerlinasPhone/7.7',
};
const SECRETS = ['Zerlina', 'Quillfeather', 'zerlina.quillfeather', '203.0.113.77', 'BOOKING77', 'feed-s3cret'];

interface World {
  property: string;
  packet: string;
  reservation: string;
  unsigned: string;
  signature: string;
  source: string;
  inbox: string;
  mail: string;
  endpoint: string;
  delivery: string;
  event: string;
  request: string;
  key: string;
}

async function makeWorld(scope: Scope): Promise<World> {
  const { property_id: property, reservation_id: reservation } = await insertSentReservation(scope, GUEST);
  const signature = await signAsGuest(scope, reservation, GUEST);
  const second = await insertSentReservation(scope, GUEST);
  const { team_id, mode } = scope;
  const of = { team_id, mode };
  const now = clock().now();
  // A second, unsigned reservation of the same property.
  const unsigned = second.reservation_id;
  await systemDb().reservation.update({ where: { id: unsigned }, data: { property_id: property, packet_id: null } });
  const { id: packet } = await systemDb().packet.findFirstOrThrow({ where: { property_id: property } });
  const source = await createSyncSource(scope, {
    property_id: property,
    kind: 'channel_a_ical',
    feed_url: 'https://calendar.example.com/feed-s3cret.ics',
  });
  await systemDb().reservation.updateMany({
    where: { id: { in: [reservation, unsigned] } },
    data: {
      external_id: 'BOOKING77',
      arrival_release_override_reason: 'Zerlina is early',
      arrival_release_override_at: now,
      metadata: { name: 'Zerlina' },
    },
  });
  const inbox = newId('inbound_mail');
  await systemDb().inboundMail.create({
    data: {
      ...{ ...of, id: inbox, sync_source_id: source.id, message_id: inbox, status: 'inbox', reservation_id: unsigned },
      subject: `Reservation of ${GUEST.name}`,
      from_address: GUEST.email,
      received_at: now,
    },
  });
  const mail = await systemDb().mailMessage.findFirstOrThrow({ where: { reservation_id: reservation } });
  const endpoint = newId('webhook_endpoint');
  await systemDb().webhookEndpoint.create({
    data: {
      ...{
        ...of,
        id: endpoint,
        url: 'https://partner.example.com/hook',
        events: ['*'],
        secret: 'x',
        secret_last4: 'x',
      },
      created_at: now,
      updated_at: now,
    },
  });
  const event = await systemDb().event.findFirstOrThrow({ where: { object_id: reservation } });
  const delivery = newId('webhook_delivery');
  await systemDb().webhookDelivery.create({
    data: {
      ...{ ...of, id: delivery, event_id: event.id, endpoint_id: endpoint, event_type: event.type, attempt_number: 1 },
      ...{ status: 'failed', delivery_began_at: now, due_at: now, created_at: now },
      response_body_truncated: `I do not know ${GUEST.name}, ${GUEST.email}`,
    },
  });
  const request = newId('request');
  await systemDb().requestLog.create({
    data: {
      ...of,
      id: request,
      method: 'POST',
      path: '/v1/reservations',
      status: 400,
      duration_ms: 1,
      created_at: now,
    },
  });
  const key = newId('api_key');
  await systemDb().apiKey.create({
    data: { ...of, id: key, name: 'CI', type: 'secret', prefix: key, hash: key, last4: 'abcd', created_at: now },
  });
  return {
    ...{ property, packet, reservation, unsigned, signature, source: source.id, inbox, mail: mail.id },
    ...{ endpoint, delivery, event: event.id, request, key },
  };
}

const DAYS = { checkin_date: '2031-06-15', checkout_date: '2031-06-18' };
const SOON = { from: '2020-01-01', to: '2020-02-01' };

/** The object whose id is passed to a module's procedures, unless `INPUTS` lists other inputs. */
const IDS: Partial<Record<string, keyof World>> = {
  api_keys: 'key',
  certificates: 'signature',
  events: 'event',
  inbox: 'inbox',
  mail: 'mail',
  packets: 'packet',
  properties: 'property',
  request_logs: 'request',
  sync_sources: 'source',
  webhook_endpoints: 'endpoint',
  reservations: 'unsigned',
};

/**
 * Inputs of procedures that co-hosts or developers may call and that take more than an id. Several
 * inputs of a procedure cover different code paths.
 */
const INPUTS: Record<string, (world: World) => unknown[]> = {
  'accounts.accept_invitation': () => [],
  'accounts.cancel_email_change': () => [],
  'accounts.create_team': () => [],
  'accounts.delete_view': () => [{ id: 'x' }],
  'accounts.list_members': () => [undefined],
  'accounts.list_sessions': () => [],
  'accounts.me': () => [],
  'accounts.request_email_change': () => [],
  'accounts.retrieve_invitation': () => [],
  'accounts.revoke_other_sessions': () => [],
  'accounts.revoke_session': () => [],
  'accounts.save_view': () => [],
  'accounts.saved_views': () => [undefined],
  'accounts.security': () => [],
  'accounts.set_locale': () => [],
  'accounts.switch_team': () => [],
  'api_keys.list': () => [undefined],
  'assistants.client': () => [],
  'assistants.list': () => [undefined],
  'assistants.revoke': () => [],
  'certificates.list': ({ property, reservation }) => [{}, { search: 'Zerlina' }, { reservation }, { property }],
  'events.list': ({ reservation }) => [{}, { object_id: reservation }],
  'home.activity': () => [{ timezone: 'UTC' }],
  'home.first_steps': () => [undefined],
  'home.signed_rate': ({ property }) => [{ property_id: property }],
  'home.usage': () => [undefined],
  'inbox.list': ({ source }) => [{}, { waiting: false }, { sync_source_id: source }],
  'mail.list': ({ reservation }) => [{}, { reservation }],
  'mail.preview': () => [{ name: 'packet' }],
  'mail.templates': () => [undefined],
  'properties.mail_text': ({ property }) => [{ id: property, mail: 'packet', locale: 'en' }],
  'push.state': () => [undefined],
  'push.turn_off': () => [],
  'push.turn_on': () => [],
  'reservations.both_real': ({ reservation, unsigned }) => [{ id: reservation, other_id: unsigned }],
  'reservations.bulk': ({ unsigned }) => [{ action: 'resend', rows: [{ id: unsigned, to: null, sent_at: null }] }],
  'reservations.change_dates': ({ unsigned }) => [{ id: unsigned, ...DAYS }],
  'reservations.copy_link': ({ reservation }) => [{ id: reservation }],
  'reservations.correct_guest': ({ unsigned }) => [{ id: unsigned, guest_name: 'Changed' }],
  'reservations.create': ({ property }) => [
    { property_id: property, guest_name: 'New', guest_email: 'new@example.com', ...DAYS },
  ],
  'reservations.email_preview': ({ reservation }) => [{ id: reservation }],
  'reservations.events': ({ reservation }) => [{ id: reservation }],
  'reservations.list': ({ property }) => [
    ...[{}, { search: 'Zerlina' }, { property }, { attention: 'same_nights' }, { statuses: ['signed', 'sent'] }],
    ...[{ sort: { by: 'guest', descending: false } }, { sort: { by: 'checkin', descending: true } }],
  ],
  'reservations.preview_bulk': ({ unsigned }) => [{ action: 'resend', ids: [unsigned] }],
  'reservations.release_arrival': ({ unsigned }) => [{ id: unsigned, reason: 'Asked' }],
  'reservations.retrieve': ({ reservation, unsigned }) => [{ id: reservation }, { id: unsigned }],
  'reservations.update': ({ unsigned }) => [{ id: unsigned, guest_name: 'Changed' }],
  'runs.cancel': () => [],
  'runs.list': () => [],
  'runs.overview': () => [],
  'runs.retrieve': () => [],
  'runs.retry': () => [],
  'search.everything': ({ reservation, signature, packet, property, source, mail }) =>
    ['Zerlina', 'Quillfeather', 'Elsewhere', reservation, signature, packet, property, source, mail].map((text) => ({
      text,
    })),
  'signing_page.preview': ({ property }) => [{ property_id: property }],
  'stay_calendar.page': ({ property }) => [{ properties: [property], ...SOON }],
  'stay_calendar.properties': () => [undefined],
  'test_clocks.advance': () => [],
  'test_clocks.create': () => [],
  'test_clocks.delete': () => [],
  'test_clocks.retrieve': () => [],
  'webhook_endpoints.count_failed': ({ endpoint }) => [{ id: endpoint, since: '2020-01-01T00:00:00Z' }],
  'webhook_endpoints.create': () => [],
  'webhook_endpoints.delete': () => [],
  'webhook_endpoints.redeliver': () => [],
  'webhook_endpoints.redeliver_failed': () => [],
  'webhook_endpoints.retrieve_attempt': ({ delivery }) => [{ id: delivery }],
  'webhook_endpoints.retrieve_delivery': ({ endpoint, event }) => [{ id: endpoint, evt_id: event }],
  'webhook_endpoints.rotate': () => [],
  'webhook_endpoints.send_test': () => [],
  'webhook_endpoints.update': () => [],
};

/** The path of each operation of `/v1`. */
const PATHS = new Map(listRoutes(appRouter).map(({ name, pattern }) => [name, pattern]));

function inputsOf(name: string, world: World): unknown[] {
  const [space = '', verb] = name.split('.');
  // The id in an operation's path belongs to the path's first noun, which is not always the
  // module's resource.
  const path = PATHS.get(name);
  const id = IDS[path?.split('/')[1] ?? space];
  const takes_id = path ? path.includes('{') : verb !== 'list';
  return INPUTS[name]?.(world) ?? [takes_id && id ? { id: world[id] } : {}];
}

const allowedTo = (role: Role) =>
  Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>)
    .filter(([, roles]) => roles.split(', ').includes(role))
    .map(([name]) => name);

/**
 * Returns every row of every tenant table, except audit-log entries and counters, which change with
 * every action.
 */
async function contents(): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const model of TENANT_MODELS) {
    const delegate = `${model[0]?.toLowerCase()}${model.slice(1)}` as 'reservation';
    const rows = await systemDb()[delegate].findMany({ where: { team_id: team.team_id } });
    all[model] = rows.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
    all[model]?.sort();
  }
  return all;
}

describe('a co-host', () => {
  let own: World;
  let other: World;
  let as: As;
  beforeAll(async () => {
    other = await makeWorld(team);
    own = await makeWorld(team);
    as = { role: 'co_host', properties: [own.property] };
    await systemDb().property.update({ where: { id: other.property }, data: { name: 'Elsewhere' } });
    for (const id of [own.reservation, own.unsigned])
      await systemDb().reservation.update({ where: { id }, data: { guest_name: 'Own Guest' } });
  });

  it.each(allowedTo('co_host'))(
    '%s neither returns nor changes anything of a property that is not assigned',
    async (name) => {
      const before = await contents();
      for (const input of inputsOf(name, other)) {
        const answer = await callAs(as, name, input).catch((error: { cause?: { code?: string }; message: string }) => {
          // Invalid input would prove nothing, and an internal error would be a defect.
          expect(['resource_missing', 'invalid_cursor'], `${name}: ${error.message}`).toContain(error.cause?.code);
          return null;
        });
        const shown = JSON.stringify(answer ?? null);
        for (const id of Object.values(other).filter((id) => !JSON.stringify(input ?? null).includes(id)))
          expect(shown, JSON.stringify(input)).not.toContain(id);
        expect(shown, JSON.stringify(input)).not.toContain(`"${other.reservation}"`);
        expect(shown, JSON.stringify(input)).not.toContain('Elsewhere');
      }
      expect(await contents()).toEqual(before);
    },
  );

  it('can view, send and correct everything of an assigned property', async () => {
    expect(await callAs(as, 'reservations.retrieve', { id: own.unsigned })).toMatchObject({ id: own.unsigned });
    const list = (await callAs(as, 'reservations.list', {})) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id).sort()).toEqual([own.reservation, own.unsigned].sort());
    const found = (await callAs(as, 'reservations.list', { search: 'own' })) as { data: { id: string }[] };
    expect(found.data).toHaveLength(2);
    const certificates = (await callAs(as, 'certificates.list', {})) as { data: { id: string }[] };
    expect(certificates.data.map(({ id }) => id)).toEqual([own.signature]);
    const properties = (await callAs(as, 'properties.list', {})) as { data: { id: string }[] };
    expect(properties.data.map(({ id }) => id)).toEqual([own.property]);
    const mails = (await callAs(as, 'mail.list', { reservation: own.reservation })) as { data: { id: string }[] };
    expect(mails.data.length).toBeGreaterThan(0);
    expect(await callAs(as, 'mail.retrieve', { id: own.mail })).toMatchObject({ id: own.mail });
    expect(await callAs(as, 'inbox.retrieve', { id: own.inbox })).toMatchObject({ id: own.inbox });
    expect(await callAs(as, 'reservations.resend', { id: own.unsigned })).toMatchObject({ id: own.unsigned });
    expect(
      await callAs(as, 'reservations.correct_guest', { id: own.unsigned, guest_email: 'new@guest.example' }),
    ).toMatchObject({ guest_email: 'new@guest.example' });
    const made = (await callAs(as, 'reservations.create', inputsOf('reservations.create', own)[0])) as { id: string };
    expect(await callAs(as, 'reservations.send', { id: made.id })).toMatchObject({ status: 'sent' });
    expect(await callAs(as, 'reservations.cancel', { id: made.id })).toMatchObject({ status: 'ignored' });
    expect(await callAs(as, 'reservations.events', { id: made.id })).toMatchObject({ reservation_id: made.id });
  });
});

describe('a developer without access to guest data', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(team);
  });

  it.each(allowedTo('developer'))('%s returns no guest data in live mode', async (name) => {
    for (const input of inputsOf(name, world)) {
      const answer = await callAs({ role: 'developer' }, name, input).catch(
        (error: { cause?: { code?: string }; message: string }) => {
          // `resource_missing` is not accepted, because an input with a wrong id would prove
          // nothing.
          expect(
            ['insufficient_scope', 'email_preview_unavailable', 'endpoint_not_found'],
            `${name}: ${error.message} Its input may need a line in INPUTS.`,
          ).toContain(error.cause?.code);
          return null;
        },
      );
      const shown = JSON.stringify(answer ?? null);
      for (const secret of SECRETS) expect(shown, `${name} ${JSON.stringify(input)}`).not.toContain(secret);
    }
  });

  it.each([{ external_id: 'BOOKING77' }, { external_id: 'NOTHING' }, { search: 'Zerlina' }])(
    'learns of no guest by a filter: %j',
    async (filter) => {
      const listed = callAs({ role: 'developer' }, 'reservations.list', filter);
      await expect(listed).rejects.toMatchObject({ cause: { code: 'insufficient_scope' } });
      const shown = await callAs({ role: 'developer', sees_guests: true }, 'reservations.list', filter);
      expect(shown).toHaveProperty('data');
    },
  );

  it('sees guest data once an owner grants it, and in test mode', async () => {
    const granted = await callAs({ role: 'developer', sees_guests: true }, 'reservations.retrieve', {
      id: world.reservation,
    });
    expect(granted).toMatchObject({ guest_name: GUEST.name });
    const masked = await callAs({ role: 'developer' }, 'reservations.retrieve', { id: world.reservation });
    expect(masked).toMatchObject({ id: world.reservation, guest_name: '••••••', guest_email: '••••••' });
  });
});
