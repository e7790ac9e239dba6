/** Packet data that only the dashboard's editor has: allowed actions, etag, history. */
import type { Packet as PacketRow } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { getPricePlanLimits } from '@/modules/accounts/plans.rules';
import { loadTeamPricePlanColumns } from '@/modules/accounts/team.service';
import { clock } from '@/shared/clock';
import { computeEtag } from '@/shared/etag';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { HostPacket, PacketRevision } from './host.schemas';
import { revisionContentJsonColumn } from './json-columns.schemas';
import * as repository from './repository';
import { type PacketContent as Content, createEmptyPacketContent, editPacketContent } from './rules/content';
import * as lifecycle from './rules/lifecycle';
import type { Packet, PacketContent } from './schemas';
import { convertPacketRowToContent, serializePacket } from './serializer';
import * as service from './service';

/** Adds the etag that the API returns for the packet. */
export const addEtagToPacket = (packet: Packet) => ({ ...packet, etag: computeEtag(JSON.stringify(packet)) });

function editable(row: PacketRow, context: lifecycle.PacketLifecycleContext): HostPacket {
  const packet = serializePacket(row);
  return { ...addEtagToPacket(packet), actions: lifecycle.getAllowedPacketActions(packet, context, clock().now()) };
}

/** Returns a property's packets with the actions that are currently possible. */
export async function serializePacketsWithActions(
  scope: Scope,
  rows: readonly PacketRow[],
): Promise<{ data: HostPacket[]; limit: number }> {
  const limit = getPricePlanLimits(await loadTeamPricePlanColumns(scope), scope.mode).active_packets;
  const active_packets = rows.filter((row) => row.status === 'active').length;
  const data = await inTransaction(scope, async () => {
    const all: HostPacket[] = [];
    for (const row of rows) {
      const referenced = await repository.isPacketUsedByReservation(scope, row.id);
      all.push(editable(row, { active_packets, referenced, packet_limit: limit }));
    }
    return all;
  });
  return { data, limit };
}

/** Returns a packet with the actions that are currently possible. Throws resource_missing. */
export async function retrieveEditablePacket(scope: Scope, id: string): Promise<HostPacket> {
  const limit = getPricePlanLimits(await loadTeamPricePlanColumns(scope), scope.mode).active_packets;
  return inTransaction(scope, async () => withContext(scope, await service.retrievePacket(scope, id), limit));
}

async function withContext(scope: Scope, row: PacketRow, packet_limit: number): Promise<HostPacket> {
  return editable(row, {
    active_packets: await repository.countActivePackets(scope, row.property_id),
    referenced: await repository.isPacketUsedByReservation(scope, row.id),
    packet_limit,
  });
}

/** Returns the latest 50 changes, newest first. Throws resource_missing. */
export async function listRevisions(scope: Scope, id: string): Promise<PacketRevision[]> {
  const rows = await service.listPacketRevisions(scope, id);
  return rows.map((row) => ({
    id: row.id,
    changed_at: row.created_at.toISOString(),
    changed_by: row.changed_by,
    before: revisionContentJsonColumn.read(row.content),
  }));
}

export interface PacketPreviewInput {
  property_id: string;
  packet_id?: string;
  /** The unsaved content in the editor. If absent, the preview shows the stored content. */
  content?: PacketContent;
  locale: GuestLocale;
}

/**
 * Returns the packet and the content to preview. Throws resource_missing and the errors of
 * editPacketContent.
 */
export async function loadPacketPreviewContent(
  scope: Scope,
  request: PacketPreviewInput,
): Promise<{ row: PacketRow; content: Content }> {
  const row = request.packet_id
    ? await service.retrievePacket(scope, request.packet_id)
    : await service.retrieveDefaultPacket(scope, request.property_id);
  if (!request.content) return { row, content: convertPacketRowToContent(row) };
  const { name: _name, ...typed } = request.content;
  return { row, content: editPacketContent(createEmptyPacketContent(row.currency), typed, newId) };
}
