import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import {
  authenticateBaselineApiCaller,
  type BaselineApiCaller,
  computeSha256Hash,
  createErrorResponse,
  createId,
  prisma,
} from '../../../caller';
import { buildReservationJson, RESERVATION_WITH_PACKETS_INCLUDE } from '../../../reservation';

const Query = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  status: z.enum(['draft', 'synced', 'sent', 'opened', 'clicked', 'signed', 'expired', 'ignored']),
  starting_after: z.string().optional(),
});

export async function GET(request: Request): Promise<Response> {
  const caller = await authenticateBaselineApiCaller(request);
  if (!caller) return createErrorResponse(401, 'api_key_invalid');
  const query = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) return createErrorResponse(400, 'invalid_field');
  const { limit, status, starting_after } = query.data;
  const { team_id, mode } = caller;
  const rows = await prisma.reservation.findMany({
    where: { team_id, mode, status },
    include: RESERVATION_WITH_PACKETS_INCLUDE,
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    ...(starting_after && { cursor: { id: starting_after }, skip: 1 }),
  });
  const data = rows.slice(0, limit).map(buildReservationJson);
  return Response.json({ object: 'list', data, has_more: rows.length > limit, url: '/v1/reservations' });
}

const Body = z.strictObject({
  property_id: z.string().regex(/^prop_[A-Za-z0-9_-]{8,}$/),
  guest_name: z.string().min(1).max(120),
  guest_email: z.email(),
  checkin_date: z.iso.date(),
  checkout_date: z.iso.date(),
  source: z.enum(['channel_a', 'channel_b', 'channel_c', 'direct']).default('direct'),
});

export async function POST(request: Request): Promise<Response> {
  const caller = await authenticateBaselineApiCaller(request);
  if (!caller) return createErrorResponse(401, 'api_key_invalid');
  const body = Body.safeParse(await request.json());
  if (!body.success) return createErrorResponse(400, 'invalid_field');
  const { team_id, mode } = caller;
  const key = request.headers.get('idempotency-key') ?? '';
  const request_hash = computeSha256Hash(JSON.stringify(body.data)).toString('hex');
  return await prisma.$transaction(async (tx) => {
    const created_at = new Date();
    const expires_at = new Date(created_at.getTime() + 86_400_000);
    const claim = { team_id, mode, key, request_hash, created_at, expires_at };
    const { count } = await tx.idempotencyRecord.createMany({ data: [claim], skipDuplicates: true });
    const where = { team_id_mode_key: { team_id, mode, key } };
    if (count === 0) {
      const stored = await tx.idempotencyRecord.findUnique({ where });
      if (stored?.request_hash !== request_hash) return createErrorResponse(422, 'idempotency_key_mismatch');
      return json(stored.status ?? 500, stored.response_body ?? '');
    }
    const answer = await create(tx, caller, body.data);
    if (!answer) throw new Error('There is no such property.');
    await tx.idempotencyRecord.update({ where, data: { status: 201, response_headers: {}, response_body: answer } });
    return json(201, answer);
  });
}

const json = (status: number, body: string) =>
  new Response(body, { status, headers: { 'content-type': 'application/json; charset=utf-8' } });

/** Creates the reservation with its trail entry and event. */
async function create(tx: Prisma.TransactionClient, caller: BaselineApiCaller, input: z.output<typeof Body>) {
  const { team_id, mode, key_id } = caller;
  const { property_id, source } = input;
  if (!(await tx.property.findFirst({ where: { id: property_id, team_id, mode } }))) return null;
  const at = new Date();
  const row = await tx.reservation.create({
    data: {
      ...input,
      id: createId('res_'),
      team_id,
      mode,
      checkin_date: new Date(input.checkin_date),
      checkout_date: new Date(input.checkout_date),
      created_at: at,
      updated_at: at,
    },
    include: RESERVATION_WITH_PACKETS_INCLUDE,
  });
  const object = buildReservationJson(row);
  const type = 'reservation.created';
  const entry = { seq: 1, type, created_at: at, actor: `api_key ${key_id}`, data: { source } };
  const hash = computeSha256Hash(JSON.stringify(entry)).toString('hex');
  await tx.trailEntry.create({ data: { ...entry, id: createId('tre_'), team_id, mode, reservation_id: row.id, hash } });
  const { value: sequence } = await tx.eventCounter.upsert({
    where: { team_id_mode: { team_id, mode } },
    create: { team_id, mode, value: 1 },
    update: { value: { increment: 1 } },
  });
  const id = createId('evt_');
  const body = JSON.stringify({
    id,
    object: 'event',
    type,
    created_at: at,
    livemode: mode === 'live',
    sequence: Number(sequence),
    data: { object },
  });
  await tx.event.create({
    data: { id, team_id, mode, type, object_id: row.id, sequence, body, relayed_at: at, created_at: at },
  });
  return JSON.stringify(object);
}
