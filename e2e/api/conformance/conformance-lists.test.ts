/**
 * Tests the specification's sections "List envelope" and "Limits: Pagination", and the filters of
 * GET /reservations.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import type { TestTeam } from '@/testing/api';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  insertTestDeliveryAttempt,
  makeProperty,
  makeRequestLogEntry,
  makeReservation,
  makeSignedReservation,
  makeSms,
  makeSyncSource,
  makeUniqueText,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  updateReservationRow,
} from '../test-context';

interface FilterSchema {
  enum?: string[];
  format?: string;
}
interface Listed {
  get?: { parameters?: { in: string; name: string; schema: FilterSchema }[] };
}
const document = inlineOpenApiComponentReferences(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))) as {
  paths: Record<string, Listed>;
};

let world: ApiTestContext;

beforeAll(async () => {
  world = await openApiTestContext();
});
afterAll(() => world.close());

/**
 * Creates a new team with reservations one second apart, oldest first. Inserts the rows directly,
 * because lists read no other data.
 */
async function teamWith(
  count: number,
): Promise<{ team: TestTeam; live: ApiCaller; ids: string[]; property: ResponseBody }> {
  const { systemDb } = await import('@/infra/db/client');
  const { newId } = await import('@/shared/ids');
  const team = await world.api.createTeam();
  const live = createApiCaller(world.api, team.live);
  const property = await makeProperty(live);
  const rows = Array.from({ length: count }, () => {
    world.clock.advance(SECOND_MS);
    const now = world.clock.now();
    return {
      id: newId('reservation'),
      team_id: team.id,
      mode: 'live' as const,
      property_id: property.id,
      guest_name: 'Ada Lovelace',
      guest_email: 'ada@example.com',
      checkin_date: new Date(getIsoDateDaysFromNow(world.clock, 10)),
      checkout_date: new Date(getIsoDateDaysFromNow(world.clock, 14)),
      created_at: now,
      updated_at: now,
    };
  });
  await systemDb().reservation.createMany({ data: rows });
  return { team, live, ids: rows.map((row) => row.id), property };
}

const idsOf = (answer: { body: ResponseBody }): string[] => answer.body.data.map((item: ResponseBody) => item.id);

/** Reads all pages in one direction. */
async function walk(
  live: ApiCaller,
  cursor: 'starting_after' | 'ending_before',
  limit: number,
  from?: string,
  filter = '',
) {
  const pages: string[][] = [];
  for (let at = from; pages.length < 100; ) {
    const page = await live.get(`/reservations?limit=${limit}${at ? `&${cursor}=${at}` : ''}${filter}`);
    expectHttpStatus(page, 200);
    pages.push(idsOf(page));
    if (!page.body.has_more) return pages;
    at = cursor === 'starting_after' ? idsOf(page).at(-1) : idsOf(page)[0];
  }
  throw new Error('The list does not end.');
}

describe('List envelope', () => {
  it('has object "list", an array data, a boolean has_more and the list path as url', async () => {
    const { team, live, property } = await teamWith(0);
    await makeSyncSource(createScopeForTestTeam(team, 'live'), property.id);
    await makeSms(createScopeForTestTeam(team, 'live'));
    const endpoint = await makeWebhookEndpoint(live);
    const paths = [
      '/properties',
      '/reservations',
      '/certificates',
      '/sync_sources',
      '/sms_messages',
      '/webhook_endpoints',
      `/webhook_endpoints/${endpoint.id}/deliveries`,
      `/properties/${property.id}/packets`,
    ];
    for (const path of paths) {
      const list = expectHttpStatus(await live.get(path), 200);
      expect(Object.keys(list).sort(), path).toEqual(['data', 'has_more', 'object', 'url']);
      expect(list).toMatchObject({ object: 'list', has_more: false, url: `/v1${path}` });
    }
  });
});

describe('every filter in the OpenAPI document', () => {
  const filters = Object.entries(document.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter((each) => each.in === 'query' && !/^(limit|starting_after|ending_before)$/.test(each.name))
      .map(({ name, schema }) => ({ path, name, schema })),
  );
  /**
   * Returns the values to test for a filter. In a list that is not empty, at least one of them
   * filters out an item.
   */
  const tried = (name: string, { enum: words, format }: FilterSchema) => {
    const far = name.endsWith('.gte') ? '2999-01-01' : '1990-01-01';
    if (words) return words;
    return [format === 'date' ? far : format === 'date-time' ? `${far}T00:00:00Z` : 'nobody-has-this'];
  };

  it.each(filters)('$path?$name narrows the list', async ({ path: pattern, name, schema }) => {
    const { team, live, property } = await teamWith(1);
    const endpoint = await makeWebhookEndpoint(live);
    if (pattern === '/certificates')
      await makeSignedReservation(live, world.clock, createScopeForTestTeam(team, 'live'), property.id);
    if (pattern.includes('deliveries'))
      await insertTestDeliveryAttempt(createScopeForTestTeam(team, 'live'), endpoint.id);
    const path = pattern.replace('{id}', endpoint.id);
    expectHttpStatus(
      await live.patch(`/properties/${property.id}`, { subdomain: makeUniqueText('filter-').toLowerCase() }),
      200,
    );
    await makeRequestLogEntry(createScopeForTestTeam(team, 'live'));
    const listed = await live.get(path);
    expectHttpStatus(listed, 200);
    const all = idsOf(listed);
    expect(all, 'Prepare an item of this list above').not.toEqual([]);
    const narrowed = await Promise.all(
      tried(name, schema).map(async (value) => {
        const answer = await live.get(`${path}?${name}=${encodeURIComponent(value)}`);
        // An invalid id must be refused with 400. It must not be ignored as a filter.
        return answer.status === 200 ? idsOf(answer).length < all.length : answer.status === 400;
      }),
    );
    expect(narrowed).toContain(true);
  });
});

describe('limit | 1 to 100, default 25', () => {
  it('returns 25 items when absent, and up to 100 when requested', async () => {
    const { live, ids } = await teamWith(101);
    const newest = [...ids].reverse();
    expect(idsOf(await live.get('/reservations'))).toEqual(newest.slice(0, 25));
    expect(idsOf(await live.get('/reservations?limit=1'))).toEqual(newest.slice(0, 1));
    const hundred = await live.get('/reservations?limit=100');
    expect(idsOf(hundred)).toEqual(newest.slice(0, 100));
    expect(hundred.body.has_more).toBe(true);
  });

  it.each(['/properties', '/reservations', '/certificates', '/sync_sources', '/sms_messages', '/webhook_endpoints'])(
    'is refused outside its range: %s',
    async (path) => {
      const live = createApiCaller(world.api, world.team.live);
      for (const limit of ['0', '101', '-1', '1.5', 'ten', '', '1e1', '0x10', ' 5']) {
        const answer = await live.get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect({ limit, code: answer.body.error?.code, param: answer.body.error?.param }).toEqual({
          limit,
          code: 'invalid_field',
          param: 'limit',
        });
      }
    },
  );

  it('rejects a parameter that is given twice', async () => {
    const answer = await createApiCaller(world.api, world.team.live).get('/reservations?limit=1&limit=2');
    expect(answer.body.error).toMatchObject({ code: 'invalid_field', param: 'limit' });
  });
});

describe('starting_after and ending_before', () => {
  it('has_more is correct at both ends and in both directions', async () => {
    const { live, ids } = await teamWith(7);
    const newest = [...ids].reverse();
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const down = await walk(live, 'starting_after', limit);
      expect(down.flat()).toEqual(newest);
      expect(down.every((page) => page.length > 0)).toBe(true);
      const up = await walk(live, 'ending_before', limit, ids[0]);
      expect([...up].reverse().flat()).toEqual(newest.slice(0, -1));
    }
    const past_the_end = await live.get(`/reservations?starting_after=${ids[0]}`);
    expect(past_the_end.body).toMatchObject({ data: [], has_more: false });
    const before_the_start = await live.get(`/reservations?ending_before=${newest[0]}`);
    expect(before_the_start.body).toMatchObject({ data: [], has_more: false });
  });

  it('ending_before returns the items nearest to the cursor, newest first', async () => {
    const { live, ids } = await teamWith(5);
    const page = await live.get(`/reservations?limit=2&ending_before=${ids[0]}`);
    expect(idsOf(page)).toEqual([ids[2], ids[1]]);
    expect(page.body.has_more).toBe(true);
  });

  it('sorts items created in the same millisecond by id', async () => {
    const team = await world.api.createTeam();
    const live = createApiCaller(world.api, team.live);
    const property = await makeProperty(live);
    const at = world.clock.now();
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      const { id } = await makeReservation(live, world.clock, property.id);
      await updateReservationRow(id, { created_at: at });
      ids.push(id);
    }
    expect((await walk(live, 'starting_after', 2)).flat()).toEqual([...ids].sort().reverse());
    expect([...(await walk(live, 'ending_before', 2, ids[0]))].reverse().flat()).toEqual(ids.slice(1).sort().reverse());
  });

  it('stay stable across changes: inserts and deletes between pages cause no repeats and no gaps', async () => {
    const { live, ids, property } = await teamWith(9);
    const newest = [...ids].reverse();
    const first = await live.get('/reservations?limit=3');
    expect(idsOf(first)).toEqual(newest.slice(0, 3));
    // Before the second page is requested, adds a newer row, and deletes the cursor's row and one
    // row of the second page.
    await makeReservation(live, world.clock, property.id);
    await live.del(`/reservations/${newest[2]}`);
    await live.del(`/reservations/${newest[4]}`);
    const second = await live.get(`/reservations?limit=3&starting_after=${newest[2]}`);
    expect(idsOf(second)).toEqual([newest[3], newest[5], newest[6]]);
    const third = await live.get(`/reservations?limit=3&starting_after=${newest[6]}`);
    expect(idsOf(third)).toEqual([newest[7], newest[8]]);
    expect(third.body.has_more).toBe(false);
    const back = await live.get(`/reservations?limit=2&ending_before=${newest[4]}`);
    expect(idsOf(back)).toEqual([newest[1], newest[3]]);
  });

  it('400 invalid_cursor: an unknown id, another team’s, mode’s or resource’s id, an empty string', async () => {
    const { team, live, property } = await teamWith(1);
    const stranger = await teamWith(1);
    const sandbox = createApiCaller(world.api, team.test);
    const test_property = await makeProperty(sandbox);
    const other_mode = await makeReservation(sandbox, world.clock, test_property.id);
    const wrong = ['res_nothing00', 'nonsense', property.id, stranger.ids[0], other_mode.id, ''];
    for (const param of ['starting_after', 'ending_before']) {
      for (const cursor of wrong) {
        const answer = await live.get(`/reservations?${param}=${cursor}`);
        expect({ cursor, status: answer.status, ...answer.body.error }).toMatchObject({
          cursor,
          status: 400,
          code: 'invalid_cursor',
          param,
        });
      }
    }
  });

  it('400 conflicting_cursors when both are given', async () => {
    const { live, ids } = await teamWith(2);
    const answer = await live.get(`/reservations?starting_after=${ids[0]}&ending_before=${ids[1]}`);
    expect(answer.body.error).toMatchObject({ code: 'conflicting_cursors', type: 'invalid_request_error' });
  });

  it('rejects offset as an unknown field', async () => {
    const answer = await createApiCaller(world.api, world.team.live).get('/reservations?offset=10');
    expect(answer.body.error).toMatchObject({ code: 'unknown_field', param: 'offset' });
  });

  it('page through certificates and properties in the same way', async () => {
    const team = await world.api.createTeam();
    const live = createApiCaller(world.api, team.live);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      world.clock.advance(SECOND_MS);
      ids.push((await makeProperty(live)).id);
    }
    const page = await live.get(`/properties?limit=1&starting_after=${ids[2]}`);
    expect({ ids: idsOf(page), more: page.body.has_more }).toEqual({ ids: [ids[1]], more: true });
    const up = await live.get(`/properties?limit=5&ending_before=${ids[1]}`);
    expect({ ids: idsOf(up), more: up.body.has_more }).toEqual({ ids: [ids[2]], more: false });
    expect((await live.get('/certificates?starting_after=sig_nothing00')).body.error.code).toBe('invalid_cursor');
  });
});

describe('GET /reservations | filters', () => {
  const STATUSES = ['draft', 'synced', 'sent', 'opened', 'clicked', 'signed', 'expired', 'ignored'];
  const SOURCES = ['channel_a', 'channel_b', 'channel_c', 'direct'];
  interface Row {
    id: string;
    status: string;
    property: string;
    source: string;
    checkin_date: string;
    created_at: string;
  }
  let live: ApiCaller;
  let rows: Row[];
  let properties: string[];

  beforeAll(async () => {
    const team = await world.api.createTeam();
    live = createApiCaller(world.api, team.live);
    properties = [(await makeProperty(live)).id, (await makeProperty(live)).id];
    rows = [];
    for (let index = 0; index < 24; index++) {
      world.clock.advance(SECOND_MS);
      const [property, source] = [properties[index % 2] ?? '', SOURCES[index % 4] ?? ''];
      const dates = {
        checkin_date: getIsoDateDaysFromNow(world.clock, 10 + (index % 5)),
        checkout_date: getIsoDateDaysFromNow(world.clock, 20),
      };
      const made = await makeReservation(live, world.clock, property, { source, ...dates });
      const status = STATUSES[index % 8] ?? '';
      await updateReservationRow(made.id, { status });
      rows.push({
        id: made.id,
        status,
        property,
        source,
        checkin_date: made.checkin_date,
        created_at: made.created_at,
      });
    }
    rows.reverse();
  });

  async function expectFilter(query: string, keep: (row: Row) => boolean) {
    const wanted = rows.filter(keep).map((row) => row.id);
    const got = (await walk(live, 'starting_after', 4, undefined, query ? `&${query}` : '')).flat();
    expect(got, query).toEqual(wanted);
    return wanted.length;
  }

  it.each(STATUSES)('status (enum as in Reservation): %s', async (status) => {
    expect(await expectFilter(`status=${status}`, (row) => row.status === status)).toBe(3);
  });

  it.each(SOURCES)('source (enum): %s', async (source) => {
    expect(await expectFilter(`source=${source}`, (row) => row.source === source)).toBe(6);
  });

  it('property (string, prop_ id)', async () => {
    expect(await expectFilter(`property=${properties[1]}`, (row) => row.property === properties[1])).toBe(12);
    expect((await live.get('/reservations?property=prop_nothing00')).body.data).toEqual([]);
  });

  it('checkin_date.gte and checkin_date.lte (date), both ends included', async () => {
    const [from, to] = [getIsoDateDaysFromNow(world.clock, 11), getIsoDateDaysFromNow(world.clock, 13)];
    await expectFilter(`checkin_date.gte=${from}`, (row) => row.checkin_date >= from);
    await expectFilter(`checkin_date.lte=${to}`, (row) => row.checkin_date <= to);
    await expectFilter(
      `checkin_date.gte=${from}&checkin_date.lte=${to}`,
      (row) => row.checkin_date >= from && row.checkin_date <= to,
    );
    await expectFilter(`checkin_date.gte=${from}&checkin_date.lte=${from}`, (row) => row.checkin_date === from);
  });

  it('created_at.gte and created_at.lte (date-time), both ends included, in any offset', async () => {
    const [from, to] = [rows[18]?.created_at ?? '', rows[5]?.created_at ?? ''];
    await expectFilter(`created_at.gte=${from}`, (row) => row.created_at >= from);
    await expectFilter(`created_at.lte=${to}`, (row) => row.created_at <= to);
    await expectFilter(
      `created_at.gte=${from}&created_at.lte=${to}`,
      (row) => row.created_at >= from && row.created_at <= to,
    );
    const offset = new Date(Date.parse(from) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    await expectFilter(`created_at.gte=${encodeURIComponent(offset)}`, (row) => row.created_at >= from);
  });

  it('combine in pairs and all at once', async () => {
    const from = getIsoDateDaysFromNow(world.clock, 11);
    const created = rows[20]?.created_at ?? '';
    const filters: [string, (row: Row) => boolean][] = [
      ['status=sent', (row) => row.status === 'sent'],
      [`property=${properties[0]}`, (row) => row.property === properties[0]],
      ['source=channel_c', (row) => row.source === 'channel_c'],
      [`checkin_date.gte=${from}`, (row) => row.checkin_date >= from],
      [`created_at.gte=${created}`, (row) => row.created_at >= created],
    ];
    for (const [index, [one, keep]] of filters.entries()) {
      for (const [other, also] of filters.slice(index + 1)) {
        await expectFilter(`${one}&${other}`, (row) => keep(row) && also(row));
      }
    }
    const all = filters.map(([query]) => query).join('&');
    expect(await expectFilter(all, (row) => filters.every(([, keep]) => keep(row)))).toBeGreaterThan(0);
  });

  it.each<[string, string, string]>([
    ['status=unknown', 'invalid_field', 'status'],
    ['status=', 'invalid_field', 'status'],
    ['source=airbnb', 'invalid_field', 'source'],
    ['checkin_date.gte=2026-02-30', 'invalid_field', 'checkin_date.gte'],
    ['checkin_date.lte=0000-01-01', 'invalid_field', 'checkin_date.lte'],
    ['checkin_date.gte=2026-01-01T00:00:00Z', 'invalid_field', 'checkin_date.gte'],
    ['created_at.gte=2026-01-01', 'invalid_field', 'created_at.gte'],
    ['created_at.gte=yesterday', 'invalid_field', 'created_at.gte'],
    ['created_at.gte=0000-01-01T00:00:00Z', 'invalid_field', 'created_at.gte'],
    ['created_at.lte=9999-12-31T23:59:59-14:00', 'invalid_field', 'created_at.lte'],
    ['checkin_date.gte=2026-02-02&checkin_date.lte=2026-02-01', 'invalid_date_range', 'checkin_date.lte'],
    ['created_at.gte=2026-02-02T00:00:00Z&created_at.lte=2026-02-01T00:00:00Z', 'invalid_date_range', 'created_at.lte'],
    ['checkin_date=2026-01-01', 'unknown_field', 'checkin_date'],
    ['guest_email=a%40example.com', 'unknown_field', 'guest_email'],
    ['__proto__=x', 'unknown_field', '__proto__'],
  ])('400: %s', async (query, code, param) => {
    const answer = await live.get(`/reservations?${query}`);
    expect({ status: answer.status, code: answer.body.error?.code, param: answer.body.error?.param }).toEqual({
      status: 400,
      code,
      param,
    });
  });
});
