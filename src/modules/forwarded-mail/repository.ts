/** Queries on forwarded mail. */
import type { InboundMail, Prisma, SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

const LISTED = 100;

/** The source a forwarding address belongs to; the token is the permission, so no scope is known yet. */
export function findByToken(token: string): Promise<SyncSource | null> {
  return systemDb().syncSource.findUnique({ where: { inbound_token: token } });
}

export async function hasMessage(
  _scope: Scope,
  sync_source_id: string,
  message_id: string,
  db: ScopedDb,
): Promise<boolean> {
  return (await db.inboundMail.findFirst({ where: { sync_source_id, message_id }, select: { id: true } })) !== null;
}

export function insertMail(
  scope: Scope,
  data: Omit<Prisma.InboundMailUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<InboundMail> {
  return db.inboundMail.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export async function markReceived(
  _scope: Scope,
  id: string,
  data: Prisma.SyncSourceUncheckedUpdateManyInput,
  db: ScopedDb,
): Promise<void> {
  await db.syncSource.updateMany({ where: { id }, data });
}

/** A mail without its bytes. */
export type ListedMail = Omit<InboundMail, 'raw'>;

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
  });
}

export function findMail(scope: Scope, id: string, db = scopedDb(scope)): Promise<InboundMail | null> {
  return db.inboundMail.findFirst({ where: { id } });
}

/** False when it has another status by now. */
export async function moveMail(
  _scope: Scope,
  id: string,
  from: string,
  data: Prisma.InboundMailUncheckedUpdateManyInput,
  db: ScopedDb,
): Promise<boolean> {
  return (await db.inboundMail.updateMany({ where: { id, status: from }, data })).count === 1;
}

/** The zone of a property's days; null when nobody knows it. */
export async function findTimezone(_scope: Scope, property_id: string, db: ScopedDb): Promise<string | null> {
  const property = await db.property.findFirst({ where: { id: property_id }, select: { timezone: true } });
  return property?.timezone ?? null;
}
