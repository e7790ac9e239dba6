/** The operations on reservations. */

import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { isScopeGranted } from '@/modules/api-keys/scopes';
import { toListEnvelope } from '@/shared/lists/pagination';
import { separateChangesFromReadOnlyFields } from '@/shared/read-only';
import * as more from './host.schemas';
import * as host from './host.service';
import * as schemas from './schemas';
import {
  addEmailPreviewUrlToReservation,
  correctGuestAndMailUpdatedPacket,
  resendReservation,
  sendReservation,
} from './send';
import * as service from './service';
import { listTimelineEntriesForHost } from './timeline.service';

const tag = 'Reservations';
const read = { method: 'GET', tag, scope: 'reservations:read', errors: ['resource_missing'] } as const;

export const reservationsRouter = router({
  list: defineApiOperation({
    ...read,
    path: '/reservations',
    errors: ['invalid_date_range'],
    summary: 'List reservations',
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.ReservationListQuery, more.HostReservationListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.ReservationList, more.HostReservationList))
    .query(async ({ ctx, input }) =>
      ctx.by_host
        ? toListEnvelope(await host.listReservationsForHost(ctx.scope, input), '/v1/reservations', (shown) => shown)
        : toListEnvelope(
            await service.listReservations(ctx.scope, input),
            '/v1/reservations',
            service.serializeReservationWithPacket,
          ),
    ),

  create: defineApiOperation({
    method: 'POST',
    path: '/reservations',
    // Irreversible, because automatic sending may mail the guest soon after.
    effect: 'irreversible',
    tag,
    scope: 'reservations:write',
    pro_only: true,
    success_status: 201,
    summary: 'Create a reservation',
    description: 'Creates the reservation without sending it.',
    errors: ['resource_missing', 'invalid_date_range', 'packet_archived'],
    etag: true,
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.ReservationCreate, more.HostReservationCreateInput))
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input: { object: _, ...reservation } }) =>
      service.serializeReservationWithPacket(await service.createReservation(ctx.scope, reservation)),
    ),

  retrieve: defineApiOperation({ ...read, path: '/reservations/{id}', summary: 'Retrieve a reservation', etag: true })
    .input(schemas.ReservationId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.Reservation, more.HostReservation))
    .query(async ({ ctx, input }) =>
      ctx.by_host
        ? translateMessages(await host.retrieveReservationForHost(ctx.scope, input.id), ctx)
        : service.serializeReservationWithPacket(await service.retrieveReservation(ctx.scope, input.id)),
    ),

  update: defineApiOperation({
    method: 'PATCH',
    path: '/reservations/{id}',
    // Irreversible, because automatic sending may mail the new address.
    effect: 'irreversible',
    tag,
    scope: 'reservations:write',
    summary: 'Update a reservation',
    description:
      'Only draft or synced reservations can be updated. After sending, correct the guest’s details with `POST /reservations/{id}/correct-guest`.',
    errors: [
      'resource_missing',
      'invalid_date_range',
      'packet_archived',
      'reservation_not_editable',
      'etag_mismatch',
      'concurrent_edit',
    ],
    etag: true,
  })
    .input(schemas.ReservationUpdate)
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input: { id, ...given } }) => {
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.RESERVATION_READ_ONLY_FIELDS);
      const saved = await service.updateReservation(ctx.scope, id, changes, ctx.if_match, read_only);
      return service.serializeReservationWithPacket(saved);
    }),

  delete: defineApiOperation({
    method: 'DELETE',
    path: '/reservations/{id}',
    effect: 'irreversible',
    tag,
    scope: 'reservations:write',
    summary: 'Delete a draft reservation',
    errors: ['resource_missing', 'reservation_not_deletable', 'legal_hold', 'etag_mismatch', 'concurrent_edit'],
  })
    .input(schemas.ReservationId)
    .output(schemas.ReservationDeleted)
    .mutation(async ({ ctx, input }) => {
      await service.deleteReservation(ctx.scope, input.id, ctx.if_match);
      return { id: input.id, object: 'reservation', deleted: true };
    }),

  send: defineApiOperation({
    method: 'POST',
    path: '/reservations/{id}/send',
    effect: 'irreversible',
    tag,
    scope: 'reservations:send',
    summary: 'Send a reservation',
    description: 'Creates a signing link and mails it to the guest. Sending the reservation again changes nothing.',
    errors: [
      'resource_missing',
      'reservation_cancelled',
      'reservation_expired',
      'stay_ended',
      'reservation_not_sendable',
      'guest_email_missing',
      'concurrent_edit',
    ],
  })
    .input(schemas.ReservationId)
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input }) =>
      addEmailPreviewUrlToReservation(
        ctx.scope,
        service.serializeReservationWithPacket(await sendReservation(ctx.scope, input.id)),
      ),
    ),

  resend: defineApiOperation({
    method: 'POST',
    path: '/reservations/{id}/resend',
    effect: 'irreversible',
    tag,
    scope: 'reservations:send',
    summary: 'Resend a reservation',
    description: 'Creates a new signing link and mails it to the guest. The old link stops working.',
    errors: [
      'resource_missing',
      'reservation_not_sent',
      'reservation_already_signed',
      'reservation_cancelled',
      'stay_ended',
      'reservation_not_sendable',
      'guest_email_missing',
      'address_suppressed',
      'concurrent_edit',
    ],
  })
    .input(schemas.ReservationId)
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input }) =>
      addEmailPreviewUrlToReservation(
        ctx.scope,
        service.serializeReservationWithPacket(await resendReservation(ctx.scope, input.id)),
      ),
    ),

  correct_guest: defineApiOperation({
    method: 'POST',
    path: '/reservations/{id}/correct-guest',
    effect: 'irreversible',
    tag,
    scope: 'reservations:send',
    stability: 'beta',
    summary: 'Correct the guest’s details',
    description:
      'Changes the guest’s name, e-mail address or language until the guest signs. If the reservation was already sent, the guest gets a new mail with a new link, and the old link stops working. A new address sets the status back to `sent`. The timeline records the old and the new values. Sending the current values changes nothing.',
    errors: [
      'resource_missing',
      'reservation_already_signed',
      'reservation_cancelled',
      'reservation_expired',
      'stay_ended',
      'legal_hold',
      'reservation_not_sendable',
      'guest_email_missing',
      'address_suppressed',
      'concurrent_edit',
    ],
    etag: true,
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.GuestDetailsCorrectionInput, more.GuestDetailsCorrectionByHost))
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input: { id, ...correction } }) =>
      addEmailPreviewUrlToReservation(
        ctx.scope,
        service.serializeReservationWithPacket(await correctGuestAndMailUpdatedPacket(ctx.scope, id, correction)),
      ),
    ),

  cancel: defineApiOperation({
    method: 'POST',
    path: '/reservations/{id}/cancel',
    effect: 'irreversible',
    tag,
    scope: 'reservations:write',
    summary: 'Cancel a reservation',
    description: 'The guest’s link stops working. Cancelling the reservation again changes nothing.',
    errors: ['resource_missing', 'reservation_already_signed', 'reservation_expired', 'legal_hold', 'concurrent_edit'],
    etag: true,
  })
    .input(schemas.ReservationId)
    .output(schemas.Reservation)
    .mutation(async ({ ctx, input }) =>
      service.serializeReservationWithPacket(await service.cancelReservation(ctx.scope, input.id)),
    ),

  email_preview: defineApiOperation({
    ...read,
    path: '/reservations/{id}/email_preview',
    summary: 'Retrieve the rendered mail of a test send',
    description:
      'Only for reservations created with a test key, for 24 hours after sending. The guest’s link is complete only for keys with the scope `reservations:send`.',
    errors: ['resource_missing', 'email_preview_unavailable'],
  })
    .input(schemas.ReservationId)
    .output(schemas.EmailPreview)
    .query(({ ctx, input }) =>
      service.retrievePacketMailPreviewInTestMode(
        ctx.scope,
        input.id,
        isScopeGranted(ctx.granted ?? 'all', 'reservations:send'),
      ),
    ),

  events: defineApiOperation({
    ...read,
    path: '/reservations/{id}/events',
    summary: 'List a reservation’s lifecycle events',
  })
    .input(schemas.ReservationId)
    .output(
      defineOutputWithExtraFieldsForHosts(schemas.ReservationEventListEnvelope, more.HostReservationEventListEnvelope),
    )
    .query(async ({ ctx, input }) => {
      const data = ctx.by_host
        ? await listTimelineEntriesForHost(ctx.scope, input.id)
        : (await service.listTrailEntriesOfReservation(ctx.scope, input.id)).map(service.serializeTrailEntry);
      return { object: 'list', reservation_id: input.id, data };
    }),

  copy_link: defineApiOperation({
    ...read,
    path: '/reservations/{id}/copy-link',
    scope: 'reservations:send',
    summary: 'Retrieve the guest’s links',
    description: 'Anyone with the signing link can sign.',
  })
    .input(schemas.ReservationId)
    .output(schemas.CopyLink)
    .query(({ ctx, input }) => service.retrieveGuestLinks(ctx.scope, input.id)),
});
