/**
 * Finds the guests affected by a change of a fee or rule: guests who have the packet or signed it.
 */
import type { PacketItemQuery } from '@/modules/packets/change-item/change-item.schemas';
import { findPacketItemOccurrences } from '@/modules/packets/change-item/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import { getEarliestCheckoutDateOfOngoingStays } from './double-bookings/service';
import type { GuestsAffectedByPacketItemChange } from './host.schemas';
import * as repository from './repository';

const MOST_GUESTS = 500;

/**
 * Returns the guests who are affected by a change of the fee or rule and whose stay is not over,
 * sorted by arrival.
 */
export async function findGuestsAffectedByPacketItemChange(
  scope: Scope,
  query: PacketItemQuery,
): Promise<GuestsAffectedByPacketItemChange> {
  const places = (await findPacketItemOccurrences(scope, query)).data.map(({ packet_id: id, ...place }) => ({
    id,
    ...place,
  }));
  if (places.length === 0) return { data: [], has_more: false };
  const default_of = new Map(
    places.flatMap(({ id, property_id, is_default }) => (is_default ? [[property_id, id]] : [])),
  );
  const rows = await repository.listCurrentGuestsOfPackets(
    scope,
    places,
    await getEarliestCheckoutDateOfOngoingStays(scope),
    MOST_GUESTS + 1,
  );
  const data = rows.slice(0, MOST_GUESTS).map(({ id, packet_id, property_id, guest_name, checkin_date, status }) => ({
    id,
    packet_id: packet_id ?? default_of.get(property_id) ?? '',
    guest_name,
    checkin_date: convertDatabaseDateToIsoDay(checkin_date),
    signed: status === 'signed',
  }));
  return { data, has_more: rows.length > MOST_GUESTS };
}
