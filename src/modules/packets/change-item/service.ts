/** Finds and changes one fee or rule in all packets of a team. */
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { editPacketIfUnchanged, type PacketEditOutcome } from '../edit-if-unchanged';
import { addEtagToPacket } from '../host.service';
import * as repository from '../repository';
import { convertPacketRowToContent, serializePacket } from '../serializer';
import type {
  ChangePacketItemInput,
  PacketItemList,
  PacketItemOccurrences,
  PacketItemQuery,
} from './change-item.schemas';
import {
  buildPacketContentInputWithItemChange,
  findPacketItemsByName,
  listPacketItemNames,
  MAX_PACKETS_PER_ITEM_CHANGE,
  type PacketItemName,
} from './item.rules';

async function loadActive(scope: Scope) {
  const found = await repository.listActivePackets(scope, MAX_PACKETS_PER_ITEM_CHANGE + 1);
  return { packets: found.slice(0, MAX_PACKETS_PER_ITEM_CHANGE), has_more: found.length > MAX_PACKETS_PER_ITEM_CHANGE };
}

/**
 * Returns the fees, rules and categories of the team's active packets, with the number of packets
 * that contain each.
 */
export async function listPacketItems(scope: Scope): Promise<PacketItemList> {
  const { packets, has_more } = await loadActive(scope);
  const groups = new Map<string, PacketItemName & { packets: number }>();
  for (const item of packets.flatMap((packet) => listPacketItemNames(convertPacketRowToContent(packet)))) {
    const group = groups.get(`${item.kind} ${item.key}`) ?? { ...item, packets: 0 };
    group.packets += 1;
    groups.set(`${item.kind} ${item.key}`, group);
  }
  const data = [...groups.values()].sort((a, b) => b.packets - a.packets || a.name.localeCompare(b.name));
  return { data, has_more };
}

/** Returns the active packets that contain the item, with their ids and etags. */
export async function findPacketItemOccurrences(scope: Scope, query: PacketItemQuery): Promise<PacketItemOccurrences> {
  const { packets, has_more } = await loadActive(scope);
  const data = packets.flatMap(({ property, ...packet }) => {
    const { fees, rules } = findPacketItemsByName(convertPacketRowToContent(packet), query);
    if (fees.length + rules.length === 0) return [];
    const { id, name, is_default, property_id, currency } = packet;
    return {
      ...{
        packet_id: id,
        etag: addEtagToPacket(serializePacket(packet)).etag,
        packet_name: name,
        is_default,
        property_id,
      },
      ...{ property_name: property.name, currency, fees, rules },
    };
  });
  return { data, has_more };
}

/**
 * Changes the items in one packet after another. Skips packets that have changed since the host saw
 * them.
 */
export async function changePacketItem(
  scope: Scope,
  { targets, change }: ChangePacketItemInput,
): Promise<{ rows: PacketEditOutcome[] }> {
  const rows: PacketEditOutcome[] = [];
  for (const { item_ids, ...seen } of targets)
    rows.push(
      await editPacketIfUnchanged(scope, seen, (stored) => {
        const known = new Set([...stored.fees, ...stored.rules].map(({ id }) => id));
        if (!item_ids.every((id) => known.has(id))) throw new AppError('etag_mismatch');
        return buildPacketContentInputWithItemChange(stored, item_ids, change);
      }),
    );
  return { rows };
}
