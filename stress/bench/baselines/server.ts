/**
 * The baseline: a careful, hand-written server with Fastify and pg that has only the measured
 * operations. It has the same tables, key lookup by hash, rows and JSON as the product. A write
 * includes the idempotency record, the hash-chained trail entry and the outbox event in one
 * transaction. stress/README.md lists the omitted parts.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { ulid } from 'ulid';
import { openEmbeddedDatabasePool } from './embedded-pool';
import { type ReservationRow, toReservationResource } from './resource';
import * as sql from './statements';

interface Caller {
  key_id: string;
  team_id: string;
  mode: string;
}

const pool = process.env.EMBEDDED
  ? ((await openEmbeddedDatabasePool(process.env.EMBEDDED)) as unknown as pg.Pool)
  : new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const newId = (prefix: string) => prefix + ulid().toLowerCase();

/**
 * Authenticates the caller. Looks up the key for every request, so that a revocation takes effect
 * at once.
 */
async function authenticate(request: FastifyRequest): Promise<Caller | null> {
  const key = /^Bearer (service_(?:live|test)_(?:sk|rk)_([0-9A-Za-z]{32,128}))$/.exec(
    request.headers.authorization ?? '',
  );
  if (!key?.[1] || !key[2]) return null;
  const row = (await pool.query({ ...sql.FIND_API_KEY_STATEMENT, values: [key[2].slice(0, 12)] })).rows[0];
  if (!row || row.revoked_at || (row.expires_at && row.expires_at < new Date())) return null;
  if (!timingSafeEqual(sha256(key[1]), Buffer.from(row.hash, 'hex'))) return null;
  return { key_id: row.id, team_id: row.team_id, mode: row.mode };
}

const refuse = (reply: FastifyReply, status: number, code: string) => reply.code(status).send({ error: { code } });

app.get('/healthz', async () => 'ok');

app.get<{ Params: { id: string } }>('/v1/reservations/:id', async (request, reply) => {
  const caller = await authenticate(request);
  if (!caller) return refuse(reply, 401, 'api_key_invalid');
  const found = await pool.query<ReservationRow>({
    ...sql.READ_RESERVATION_STATEMENT,
    values: [request.params.id, caller.team_id, caller.mode],
  });
  return found.rows[0] ? toReservationResource(found.rows[0]) : refuse(reply, 404, 'resource_missing');
});

const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    status: { type: 'string' },
    starting_after: { type: 'string' },
  },
} as const;

app.get<{ Querystring: { limit: number; status: string; starting_after?: string } }>(
  '/v1/reservations',
  { schema: { querystring: listQuery } },
  async (request, reply) => {
    const caller = await authenticate(request);
    if (!caller) return refuse(reply, 401, 'api_key_invalid');
    const { limit, status, starting_after } = request.query;
    const values: unknown[] = [caller.team_id, caller.mode, status, limit + 1];
    let page = sql.FIRST_RESERVATION_PAGE_STATEMENT;
    if (starting_after) {
      const cursor = (
        await pool.query({
          ...sql.FIND_RESERVATION_CURSOR_STATEMENT,
          values: [starting_after, caller.team_id, caller.mode],
        })
      ).rows[0];
      if (!cursor) return refuse(reply, 400, 'invalid_cursor');
      values.push(cursor.created_at, cursor.id);
      page = sql.NEXT_RESERVATION_PAGE_STATEMENT;
    }
    const { rows } = await pool.query<ReservationRow>({ ...page, values });
    const data = rows.slice(0, limit).map(toReservationResource);
    return { object: 'list', data, has_more: rows.length > limit, url: '/v1/reservations' };
  },
);

interface Create {
  property_id: string;
  guest_name: string;
  guest_email: string;
  checkin_date: string;
  checkout_date: string;
  source: string;
}

const createBody = {
  type: 'object',
  additionalProperties: false,
  required: ['property_id', 'guest_name', 'guest_email', 'checkin_date', 'checkout_date'],
  properties: {
    property_id: { type: 'string', pattern: '^prop_[A-Za-z0-9_-]{8,}$' },
    guest_name: { type: 'string', minLength: 1, maxLength: 120 },
    guest_email: { type: 'string', format: 'email' },
    checkin_date: { type: 'string', format: 'date' },
    checkout_date: { type: 'string', format: 'date' },
    source: { type: 'string', enum: ['channel_a', 'channel_b', 'channel_c', 'direct'], default: 'direct' },
  },
} as const;

app.post<{ Body: Create }>('/v1/reservations', { schema: { body: createBody } }, async (request, reply) => {
  const caller = await authenticate(request);
  if (!caller) return refuse(reply, 401, 'api_key_invalid');
  const key = String(request.headers['idempotency-key'] ?? '');
  const request_hash = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
  const client = await pool.connect();
  try {
    await client.query('begin');
    const owner = [caller.team_id, caller.mode];
    const claim = await client.query({ ...sql.CLAIM_IDEMPOTENCY_KEY_STATEMENT, values: [...owner, key, request_hash] });
    if (claim.rowCount === 0) {
      const stored = (await client.query({ ...sql.READ_IDEMPOTENT_RESPONSE_STATEMENT, values: [...owner, key] }))
        .rows[0];
      await client.query('rollback');
      if (stored?.request_hash !== request_hash) return refuse(reply, 422, 'idempotency_key_mismatch');
      return reply
        .code(stored.status)
        .header('content-type', 'application/json; charset=utf-8')
        .send(stored.response_body);
    }
    const body = await create(client, caller, request.body);
    if (!body) {
      await client.query('rollback');
      return refuse(reply, 404, 'resource_missing');
    }
    await client.query({ ...sql.STORE_IDEMPOTENT_RESPONSE_STATEMENT, values: [...owner, key, 201, '{}', body] });
    await client.query('commit');
    return reply.code(201).header('content-type', 'application/json; charset=utf-8').send(body);
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

/**
 * Creates the reservation with its trail entry and event. Returns the JSON text. Returns null when
 * the property does not belong to the caller.
 */
async function create(client: pg.PoolClient, caller: Caller, input: Create): Promise<string | null> {
  const { team_id, mode, key_id } = caller;
  const property = (await client.query({ ...sql.FIND_PROPERTY_STATEMENT, values: [input.property_id, team_id, mode] }))
    .rows[0];
  if (!property) return null;
  const { property_id, guest_name, guest_email, checkin_date, checkout_date, source } = input;
  const id = newId('res_');
  const inserted = await client.query<ReservationRow>({
    ...sql.INSERT_RESERVATION_STATEMENT,
    values: [id, team_id, mode, property_id, guest_name, guest_email, checkin_date, checkout_date, source],
  });
  const row = inserted.rows[0];
  if (!row) throw new Error('No row.');
  const object = toReservationResource({ ...row, details: property.details, release: property.release });
  const at = new Date();
  const entry = { seq: 1, type: 'reservation.created', created_at: at, actor: `api_key ${key_id}`, data: { source } };
  const hash = sha256(JSON.stringify(entry)).toString('hex');
  await client.query({
    ...sql.INSERT_TRAIL_ENTRY_STATEMENT,
    values: [newId('tre_'), team_id, mode, id, entry.actor, entry.data, hash, at],
  });
  const sequence = (await client.query({ ...sql.INCREMENT_EVENT_COUNTER_STATEMENT, values: [team_id, mode] })).rows[0]
    .value;
  const event_id = newId('evt_');
  const event = JSON.stringify({
    id: event_id,
    object: 'event',
    type: 'reservation.created',
    created_at: at,
    livemode: mode === 'live',
    sequence: Number(sequence),
    data: { object },
  });
  await client.query({ ...sql.INSERT_EVENT_STATEMENT, values: [event_id, team_id, mode, id, sequence, event] });
  return JSON.stringify(object);
}

process.on('SIGTERM', () => void pool.end().finally(() => process.exit(0)));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
