/** Many drafts at once: what createReservation does for one, in few statements, since everybody waits for the transaction. */
import { recordEvent } from '@/events/record';
import { startTrails } from '@/modules/trail/service';
import { textToDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import * as reads from '../reads.repository';
import * as repository from '../repository';
import { arrivalPacket } from '../rule-inputs';
import { serializeReservation } from '../serializer';
import { assertNoPlaceholder, assertProperty, type NewReservation } from '../service';

/**
 * Creates them without sending, with their trails and events; each gets its property's default packet. The caller's
 * transaction makes it all or none. Throws resource_missing (`property_id`) and invalid_field for a placeholder address.
 */
export async function createReservations(
  scope: Scope,
  inputs: readonly Omit<NewReservation, 'packet_id'>[],
): Promise<void> {
  if (inputs.length === 0) return;
  const properties = [...new Set(inputs.map((input) => input.property_id))].sort();
  for (const id of properties) await assertProperty(scope, id);
  for (const input of inputs) assertNoPlaceholder(input.guest_email);
  const now = clock().now();
  const rows = await repository.insertReservations(
    scope,
    inputs.map((input) => ({
      ...input,
      id: newId('reservation'),
      checkin_date: textToDay(input.checkin_date),
      checkout_date: textToDay(input.checkout_date),
      status: 'draft',
      initial_status: 'draft',
      created_at: now,
      updated_at: now,
    })),
  );
  const trail = rows.map(({ id, source }) => ({
    reservation_id: id,
    type: 'reservation.created',
    data: { source },
  }));
  await startTrails(scope, trail, now);
  const packets = new Map<string, reads.ShownReservation['packet']>();
  for (const property_id of properties) {
    packets.set(property_id, await reads.findShownPacket(scope, { packet_id: null, property_id }));
  }
  for (const row of rows) {
    const object = serializeReservation(row, arrivalPacket(packets.get(row.property_id) ?? null));
    await recordEvent(scope, { type: 'reservation.created', object_id: row.id, data: { object } });
  }
}
