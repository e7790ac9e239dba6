/** Queries on forwarded mail. */
import type { InboundMail, Prisma, SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

const LISTED = 100;

/** The source a forwarding address belongs to; the token is the permission, so no scope is known yet. */
export function findByToken(token: string): Promise<SyncSource | null> {
  return systemDb().syncSource.findUnique({ where: { inbound_token: token } });
}

export async function hasMessage(scope: Scope, sync_source_id: string, message_id: string): Promise<boolean> {
  return (
    (await scopedDb(scope).inboundMail.findFirst({ where: { sync_source_id, message_id }, select: { id: true } })) !==
    null
  );
}

export function insertMail(
  scope: Scope,
  data: Omit<Prisma.InboundMailUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<InboundMail> {
  return scopedDb(scope).inboundMail.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export async function markReceived(
  scope: Scope,
  id: string,
  data: Prisma.SyncSourceUncheckedUpdateManyInput,
): Promise<void> {
  await scopedDb(scope).syncSource.updateMany({ where: { id }, data });
}

/** A mail, with the property of its address. */
export type FoundMail = Prisma.InboundMailGetPayload<{ include: typeof WITH_PROPERTY }>;
/** The same without its bytes. */
export type ListedMail = Omit<FoundMail, 'raw'>;

const WITH_PROPERTY = { sync_source: { select: { property: { select: { id: true, name: true } } } } } as const;

/** Newest first. `waiting`: those the host has to look at; otherwise all. */
export function listMails(scope: Scope, filter: { waiting: boolean; sync_source_id?: string }): Promise<ListedMail[]> {
  return scopedDb(scope).inboundMail.findMany({
    where: {
      ...(filter.waiting && { status: 'inbox' }),
      ...(filter.sync_source_id && { sync_source_id: filter.sync_source_id }),
    },
    orderBy: [{ received_at: 'desc' }, { id: 'desc' }],
    take: LISTED,
    omit: { raw: true },
    include: WITH_PROPERTY,
  });
}

export function findMail(scope: Scope, id: string): Promise<FoundMail | null> {
  return scopedDb(scope).inboundMail.findFirst({ where: { id }, include: WITH_PROPERTY });
}

/** False when it has another status by now. */
export async function moveMail(
  scope: Scope,
  id: string,
  from: string,
  data: Prisma.InboundMailUncheckedUpdateManyInput,
): Promise<boolean> {
  return (await scopedDb(scope).inboundMail.updateMany({ where: { id, status: from }, data })).count === 1;
}

/** Mails that wait and name a code belong to the reservation that has it now. */
export async function linkWaitingMails(
  scope: Scope,
  sync_source_id: string,
  code: string,
  reservation_id: string,
): Promise<void> {
  await scopedDb(scope).inboundMail.updateMany({
    where: {
      sync_source_id,
      status: 'inbox',
      reservation_id: null,
      extracted: { path: ['extraction', 'reservation_code'], equals: code },
    },
    data: { reservation_id },
  });
}

/** Whether a later mail of the same address tells of the same booking: what an older one says is not true any more. */
export async function hasLaterMail(
  scope: Scope,
  { id, sync_source_id, received_at }: { id: string; sync_source_id: string; received_at: Date },
  code: string,
): Promise<boolean> {
  const later = await scopedDb(scope).inboundMail.findFirst({
    where: {
      id: { not: id },
      sync_source_id,
      received_at: { gt: received_at },
      status: { not: 'dismissed' },
      extracted: { path: ['extraction', 'reservation_code'], equals: code },
    },
    select: { id: true },
  });
  return later !== null;
}

/** The zone of a property's days; null when nobody knows it. */
export async function findTimezone(scope: Scope, property_id: string): Promise<string | null> {
  const property = await scopedDb(scope).property.findFirst({ where: { id: property_id }, select: { timezone: true } });
  return property?.timezone ?? null;
}
