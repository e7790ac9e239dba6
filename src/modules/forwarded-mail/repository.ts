/** Queries on forwarded mail. */
import type { InboundMail, Prisma, SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

const LISTED = 100;

/**
 * Finds the source of a forwarding address by its token. Searches all teams, because the team is
 * known only from the source.
 */
export function findSyncSourceByForwardingToken(token: string): Promise<SyncSource | null> {
  return systemDb().syncSource.findUnique({ where: { inbound_token: token } });
}

export async function isForwardedMailAlreadyStored(
  scope: Scope,
  sync_source_id: string,
  message_id: string,
): Promise<boolean> {
  return (
    (await scopedDb(scope).inboundMail.findFirst({ where: { sync_source_id, message_id }, select: { id: true } })) !==
    null
  );
}

export function insertForwardedMail(
  scope: Scope,
  data: Omit<Prisma.InboundMailUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<InboundMail> {
  return scopedDb(scope).inboundMail.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export async function recordSyncSourceMailReceipt(
  scope: Scope,
  id: string,
  data: Prisma.SyncSourceUncheckedUpdateManyInput,
): Promise<void> {
  await scopedDb(scope).syncSource.updateMany({ where: { id }, data });
}

export type InboundMailWithProperty = Prisma.InboundMailGetPayload<{ include: typeof WITH_PROPERTY }>;
export type InboundMailWithoutRawContent = Omit<InboundMailWithProperty, 'raw'>;

const WITH_PROPERTY = { sync_source: { select: { property: { select: { id: true, name: true } } } } } as const;

/** Returns mails, newest first. With `waiting`, returns only mails in the inbox. */
export function listForwardedMails(
  scope: Scope,
  filter: { waiting: boolean; sync_source_id?: string },
): Promise<InboundMailWithoutRawContent[]> {
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

export function findForwardedMail(scope: Scope, id: string): Promise<InboundMailWithProperty | null> {
  return scopedDb(scope).inboundMail.findFirst({ where: { id }, include: WITH_PROPERTY });
}

/** Changes a mail's status. Returns false when its status is no longer `from`. */
export async function changeForwardedMailStatus(
  scope: Scope,
  id: string,
  from: string,
  data: Prisma.InboundMailUncheckedUpdateManyInput,
): Promise<boolean> {
  return (await scopedDb(scope).inboundMail.updateMany({ where: { id, status: from }, data })).count === 1;
}

/**
 * Sets the reservation of the inbox mails that contain this reservation code. Skips mails that
 * already have a reservation.
 */
export async function linkInboxMailsToReservation(
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

/**
 * The maximum number of mails that are read for a booking, which is far more than a booking has.
 */
const MOST_OF_A_BOOKING = 100;

/**
 * Returns other mails to the same forwarding address about the same booking. Omits dismissed mails.
 */
export function listForwardedMailsOfBooking(
  scope: Scope,
  { id, sync_source_id }: { id?: string; sync_source_id: string },
  code: string,
) {
  return scopedDb(scope).inboundMail.findMany({
    where: {
      ...(id !== undefined && { id: { not: id } }),
      sync_source_id,
      status: { not: 'dismissed' },
      extracted: { path: ['extraction', 'reservation_code'], equals: code },
    },
    orderBy: { received_at: 'desc' },
    take: MOST_OF_A_BOOKING,
    select: { status: true, received_at: true, extracted: true },
  });
}

/** Returns the property's time zone, or null without one. */
export async function findPropertyTimezone(scope: Scope, property_id: string): Promise<string | null> {
  const property = await scopedDb(scope).property.findFirst({ where: { id: property_id }, select: { timezone: true } });
  return property?.timezone ?? null;
}
