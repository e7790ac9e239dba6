/** Finds and changes one fee or rule in all packets of a team. */
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { type EditOutcome, editPacketIfUnchanged } from '../edit-seen';
import { withPacketEtag } from '../host.service';
import * as repository from '../repository';
import { serializePacket, toPacketContent } from '../serializer';
import type { ChangeItemInput, ItemOccurrences, ItemQuery, PacketItems } from './change-item.schemas';
import { changeItems, findItems, listNamedItems, MAX_CHANGED_PACKETS, type NamedItem } from './item.rules';

async function loadActive(scope: Scope) {
  const found = await repository.listActivePackets(scope, MAX_CHANGED_PACKETS + 1);
  return { packets: found.slice(0, MAX_CHANGED_PACKETS), has_more: found.length > MAX_CHANGED_PACKETS };
}

/**
 * Returns the fees, rules and categories of the team's active packets, with the number of packets
 * that contain each.
 */
export async function listItems(scope: Scope): Promise<PacketItems> {
  const { packets, has_more } = await loadActive(scope);
  const groups = new Map<string, NamedItem & { packets: number }>();
  for (const item of packets.flatMap((packet) => listNamedItems(toPacketContent(packet)))) {
    const group = groups.get(`${item.kind} ${item.key}`) ?? { ...item, packets: 0 };
    group.packets += 1;
    groups.set(`${item.kind} ${item.key}`, group);
  }
  const data = [...groups.values()].sort((a, b) => b.packets - a.packets || a.name.localeCompare(b.name));
  return { data, has_more };
}

/** Returns the active packets that contain the item, with their ids and etags. */
export async function findItem(scope: Scope, query: ItemQuery): Promise<ItemOccurrences> {
  const { packets, has_more } = await loadActive(scope);
  const data = packets.flatMap(({ property, ...packet }) => {
    const { fees, rules } = findItems(toPacketContent(packet), query);
    if (fees.length + rules.length === 0) return [];
    const { id, name, is_default, property_id, currency } = packet;
    return {
      ...{
        packet_id: id,
        etag: withPacketEtag(serializePacket(packet)).etag,
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
export async function changeItem(scope: Scope, { targets, change }: ChangeItemInput): Promise<{ rows: EditOutcome[] }> {
  const rows: EditOutcome[] = [];
  for (const { item_ids, ...seen } of targets)
    rows.push(
      await editPacketIfUnchanged(scope, seen, (stored) => {
        const known = new Set([...stored.fees, ...stored.rules].map(({ id }) => id));
        if (!item_ids.every((id) => known.has(id))) throw new AppError('etag_mismatch');
        return changeItems(stored, item_ids, change);
      }),
    );
  return { rows };
}
