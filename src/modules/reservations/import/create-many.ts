/**
 * Inserts many reservations with few statements, because the embedded database serves no other
 * request during the transaction.
 */
import { recordEvents } from '@/events/record';
import type { Reservation } from '@/generated/prisma/client';
import { loadPropertyCurrentTimeLookup } from '@/modules/test-clocks/time';
import { parseCalendarDay } from '@/shared/calendar-day';
import { applyMetadataChange } from '@/shared/changed-metadata';
import type { Scope } from '@/shared/scope';
import * as reads from '../reads.repository';
import * as repository from '../repository';
import { parsePacketArrivalColumns } from '../rule-inputs';
import { serializeReservation } from '../serializer';
import {
  assertNotPlaceholderEmailAddress,
  assertPropertyExists,
  buildReservationRow,
  type NewReservationInput,
  type NewReservationRow,
} from '../service';

/**
 * Creates drafts with their trails and events, each with its property's default packet, in the
 * caller's transaction. Throws resource_missing (`property_id`), and invalid_field for a
 * placeholder address.
 */
export async function createReservations(
  scope: Scope,
  inputs: readonly Omit<NewReservationInput, 'packet_id'>[],
): Promise<void> {
  for (const id of propertiesOf(inputs)) await assertPropertyExists(scope, id);
  for (const input of inputs) assertNotPlaceholderEmailAddress(input.guest_email);
  await insertReservations(
    scope,
    inputs.map((input) => ({
      ...input,
      metadata: applyMetadataChange({}, input.metadata ?? {}),
      checkin_date: parseCalendarDay(input.checkin_date),
      checkout_date: parseCalendarDay(input.checkout_date),
      status: 'draft',
      initial_status: 'draft',
    })),
  );
}

const propertiesOf = (rows: readonly { property_id: string }[]) =>
  [...new Set(rows.map(({ property_id }) => property_id))].sort();

/**
 * Inserts many rows with the same columns, like insertReservation. The caller holds the properties'
 * locks.
 */
export async function insertReservations(
  scope: Scope,
  given: readonly Omit<NewReservationRow, 'packet_id'>[],
): Promise<Reservation[]> {
  if (given.length === 0) return [];
  const now = await loadPropertyCurrentTimeLookup(scope, propertiesOf(given));
  const rows = await repository.insertReservationRowsAndTrails(
    scope,
    given.map((data) => buildReservationRow(scope, data, now(data.property_id))),
  );
  const packets = new Map<string, reads.ReservationWithPacketColumns['packet']>();
  for (const property_id of propertiesOf(rows)) {
    packets.set(property_id, await reads.findReservationPacket(scope, { packet_id: null, property_id }));
  }
  await recordEvents(
    scope,
    rows.map((row) => ({
      type: 'reservation.created',
      object_id: row.id,
      data: { object: serializeReservation(row, parsePacketArrivalColumns(packets.get(row.property_id) ?? null)) },
    })),
  );
  return rows;
}
