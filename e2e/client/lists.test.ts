/** Tests reading lists with the client. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApiError, type StubServer, sendJson, startStubServer } from './support';

let stub: StubServer;
/** All items, newest first. */
const ALL = Array.from({ length: 250 }, (_, index) => ({
  id: `res_${String(250 - index).padStart(3, '0')}`,
  text: '',
}));

beforeEach(async () => {
  stub = await startStubServer();
  stub.answer = (response, { query }) => {
    const limit = Number(query.get('limit') ?? 25);
    const after = query.get('starting_after');
    const before = query.get('ending_before');
    const place = ALL.findIndex(({ id }) => id === (after ?? before));
    const data = before
      ? ALL.slice(Math.max(0, place - limit), place)
      : ALL.slice(after ? place + 1 : 0).slice(0, limit);
    const has_more = before ? place - limit > 0 : data.at(-1) !== ALL.at(-1);
    sendJson(response, 200, { object: 'list', data, has_more, url: '/v1/reservations' });
  };
});
afterEach(() => stub.close());

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('a list', () => {
  it('iterates to the end, a hundred items per page, with its filters', async () => {
    const ids = await idsOf(stub.client().reservations.list({ status: 'sent' }));
    expect(ids).toEqual(ALL.map(({ id }) => id));
    expect(stub.came.map(({ query }) => query.toString())).toEqual([
      'limit=100&status=sent',
      'limit=100&status=sent&starting_after=res_151',
      'limit=100&status=sent&starting_after=res_051',
    ]);
  });

  it('iterates from `ending_before` to the newest item', async () => {
    const ids = await idsOf(stub.client().reservations.list({ ending_before: 'res_200', limit: 30 }));
    expect(ids[0]).toBe('res_201');
    expect(ids).toEqual([...ALL.slice(0, 50)].reverse().map(({ id }) => id));
  });

  it('requests no further page when its loop breaks', async () => {
    for await (const _ of stub.client().reservations.list({ limit: 10 })) break;
    expect(stub.came).toHaveLength(1);
  });

  it('sends no request before it is used, and requests its first page once', async () => {
    const list = stub.client().reservations.list({ limit: 2 });
    expect(stub.came).toHaveLength(0);
    const [first, again] = [await list, await list];
    expect(first).toBe(again);
    expect(first.data.map(({ id }) => id)).toEqual(['res_250', 'res_249']);
    expect(stub.came).toHaveLength(1);
  });

  it('ends when a page does not advance although has_more is true', async () => {
    for (const data of [[], [{ id: 'res_1' }]]) {
      stub.answer = (response) => sendJson(response, 200, { object: 'list', data, has_more: true, url: '' });
      const ids = await idsOf(stub.client().reservations.list());
      expect(ids.length).toBeLessThanOrEqual(2);
    }
  });

  it('without a cursor throws instead of ending early', async () => {
    stub.answer = (response, { query }) =>
      query.has('starting_after')
        ? sendJson(response, 400, buildApiError('invalid_request_error', 'unknown_field'))
        : sendJson(response, 200, { object: 'list', data: [{ id: 'whd_1' }], has_more: true, url: '' });
    await expect(idsOf(stub.client().webhookEndpoints.listDeliveries('whe_1'))).rejects.toThrow('unknown_field');
  });

  it('of a property’s packets sends no query parameters', async () => {
    stub.answer = (response) =>
      sendJson(response, 200, { object: 'list', data: [{ id: 'pkt_1' }], has_more: false, url: '' });
    expect(await idsOf(stub.client().packets.list('prop_1'))).toEqual(['pkt_1']);
    expect(stub.came.map(({ path, query }) => path + query)).toEqual(['/v1/properties/prop_1/packets']);
  });

  it('retries a rate-limited page, and returns each item once', async () => {
    const answer = stub.answer;
    stub.answer = (response, request, number) =>
      number % 2 === 1
        ? sendJson(response, 429, buildApiError('rate_limit_error', 'x'), { 'Retry-After': '0' })
        : answer(response, request, number);
    expect(await idsOf(stub.client().reservations.list())).toEqual(ALL.map(({ id }) => id));
  });

  it('throws the error of the page that failed', async () => {
    const answer = stub.answer;
    stub.answer = (response, request, number) =>
      number === 2
        ? sendJson(response, 400, buildApiError('invalid_request_error', 'invalid_cursor'))
        : answer(response, request, number);
    const seen: string[] = [];
    const going = async () => {
      for await (const { id } of stub.client().reservations.list()) seen.push(id);
    };
    await expect(going()).rejects.toThrow('invalid_cursor');
    expect(seen).toHaveLength(100);
  });

  it('accepts pages of many megabytes', async () => {
    const text = 'x'.repeat(100_000);
    stub.answer = (response, { query }) => {
      const first = !query.has('starting_after');
      const data = ALL.slice(first ? 0 : 100, first ? 100 : 200).map((one) => ({ ...one, text }));
      sendJson(response, 200, { object: 'list', data, has_more: first, url: '' });
    };
    let letters = 0;
    for await (const one of stub.client().reservations.list())
      letters += (one as unknown as { text: string }).text.length;
    expect(letters).toBe(20_000_000);
  });
});
