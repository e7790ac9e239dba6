import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';

let api: TestApiServer;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApiServer();
  team = await api.createTeam();
});
afterAll(() => api.close());

describe('the REST bridge', () => {
  it('creates and retrieves a property', async () => {
    const made = await api.request<{ id: string }>('POST', '/properties', {
      key: team.live,
      body: { name: '  Harbour Loft ' },
    });
    expect(made.body).toMatchObject({
      object: 'property',
      name: 'Harbour Loft',
      auto_send_packet: false,
      address: null,
    });
    expect(made.status).toBe(201);
    const got = await api.request('GET', `/properties/${made.body.id}`, { key: team.live });
    expect(got.status).toBe(200);
    expect(got.body).toEqual(made.body);
    expect(got.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(got.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('rejects the text "false" as a boolean', async () => {
    const answer = await api.request('POST', '/properties', {
      key: team.live,
      body: { name: 'X', auto_reminders: 'false' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 'invalid_field', param: 'auto_reminders' } });
  });

  it('converts a query parameter to the type in its schema', async () => {
    const page = await api.request('GET', '/properties?limit=1', { key: team.live });
    expect(page.status).toBe(200);
    const bad = await api.request('GET', '/properties?limit=abc', { key: team.live });
    expect(bad.body).toMatchObject({ error: { code: 'invalid_field', param: 'limit' } });
    const zero = await api.request('GET', '/properties?limit=0', { key: team.live });
    expect(zero.body).toMatchObject({ error: { code: 'invalid_field', param: 'limit' } });
  });

  it('replays the first response to a retried create, byte for byte', async () => {
    const call = () =>
      api.request('POST', '/properties', {
        key: team.live,
        body: { name: 'Once' },
        headers: { 'Idempotency-Key': 'k1' },
      });
    const first = await call();
    const second = await call();
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(first.headers.get('idempotent-replay')).toBeNull();
  });

  it('rejects unknown and read-only fields, unknown paths and wrong methods', async () => {
    const unknown = await api.request('POST', '/properties', { key: team.live, body: { name: 'A', nmae: 'B' } });
    expect(unknown.body).toMatchObject({ error: { code: 'unknown_field', param: 'nmae' } });
    const read_only = await api.request('POST', '/properties', {
      key: team.live,
      body: { name: 'A', object: 'property', id: 'x' },
    });
    expect(read_only.body).toMatchObject({ error: { code: 'unknown_field', param: 'id' } });
    expect((await api.request('GET', '/nothing')).body).toMatchObject({ error: { code: 'route_not_found' } });
    const method = await api.request('PUT', '/properties');
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toBe('GET, POST');
  });

  it('isolates live and test mode', async () => {
    const made = await api.request<{ id: string }>('POST', '/properties', { key: team.test, body: { name: 'T' } });
    const other = await api.request('GET', `/properties/${made.body.id}`, { key: team.live });
    expect(other.status).toBe(404);
  });
});
