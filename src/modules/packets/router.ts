/** The operations on packets. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import { separateChangesFromReadOnlyFields } from '@/shared/read-only';
import { HostPacket, HostPacketList, HostPacketUpdate, PacketWithEtag } from './host.schemas';
import * as host from './host.service';
import * as schemas from './schemas';
import { serializePacket } from './serializer';
import * as service from './service';

const tag = 'Packets';
const read = { tag, scope: 'packets:read', errors: ['resource_missing'], etag: true } as const;
const edit = {
  tag,
  scope: 'packets:write',
  errors: ['resource_missing', 'packet_archived', 'too_many_items', 'etag_mismatch', 'concurrent_edit'],
  etag: true,
} as const;
const arrays =
  '`rules` and `fees` replace the whole array. To append an item, read the array, add the item and send the whole array.';

export const packetsRouter = router({
  list: defineApiOperation({
    ...read,
    method: 'GET',
    path: '/properties/{id}/packets',
    etag: false,
    summary: 'List a property’s packets',
  })
    .input(schemas.PropertyIdOfDefaultPacketInput)
    .output(defineOutputWithExtraFieldsForHosts(schemas.PacketList, HostPacketList))
    .query(async ({ ctx, input }) => {
      const data = await service.listPackets(ctx.scope, input.id);
      const list = toListEnvelope({ data, has_more: false }, `/v1/properties/${input.id}/packets`, serializePacket);
      return ctx.by_host ? { ...list, ...(await host.serializePacketsWithActions(ctx.scope, data)) } : list;
    }),

  create: defineApiOperation({
    method: 'POST',
    path: '/properties/{id}/packets',
    effect: 'adds',
    tag,
    scope: 'packets:write',
    pro_only: true,
    success_status: 201,
    summary: 'Create a packet variant',
    errors: ['resource_missing', 'packet_limit_reached'],
    etag: true,
  })
    .input(schemas.PacketCreate)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input: { id, ...variant } }) =>
      serializePacket(await service.createPacket(ctx.scope, id, variant)),
    ),

  retrieve: defineApiOperation({ ...read, method: 'GET', path: '/packets/{id}', summary: 'Retrieve a packet' })
    .input(schemas.PacketId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.Packet, HostPacket))
    .query(async ({ ctx, input }) =>
      ctx.by_host
        ? host.retrieveEditablePacket(ctx.scope, input.id)
        : serializePacket(await service.retrievePacket(ctx.scope, input.id)),
    ),

  update: defineApiOperation({
    ...edit,
    method: 'PATCH',
    path: '/packets/{id}',
    effect: 'changes',
    summary: 'Rename or edit a packet',
    description: arrays,
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.PacketUpdate, HostPacketUpdate))
    .output(defineOutputWithExtraFieldsForHosts(schemas.Packet, PacketWithEtag))
    .mutation(async ({ ctx, input: { id, etag, ...given } }) => {
      const if_match = etag ?? ctx.if_match;
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.PACKET_READ_ONLY_FIELDS);
      const packet = serializePacket(await service.updatePacket(ctx.scope, id, changes, { if_match, read_only }));
      return ctx.by_host ? host.addEtagToPacket(packet) : packet;
    }),

  delete: defineApiOperation({
    method: 'DELETE',
    path: '/packets/{id}',
    effect: 'irreversible',
    tag,
    scope: 'packets:write',
    success_status: 204,
    summary: 'Delete a packet',
    errors: ['resource_missing', 'packet_in_use', 'default_packet', 'last_packet', 'etag_mismatch', 'concurrent_edit'],
  })
    .input(schemas.PacketId)
    .output(schemas.PacketDeleted)
    .mutation(async ({ ctx, input }) => {
      await service.deletePacket(ctx.scope, input.id, ctx);
      return { id: input.id, object: 'packet', deleted: true };
    }),

  set_default: defineApiOperation({
    method: 'POST',
    path: '/packets/{id}/set-default',
    effect: 'changes',
    tag,
    scope: 'packets:write',
    summary: 'Make a packet the default',
    errors: ['resource_missing', 'packet_archived', 'concurrent_edit'],
    etag: true,
  })
    .input(schemas.PacketId)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input }) => serializePacket(await service.setDefaultPacket(ctx.scope, input.id))),

  archive: defineApiOperation({
    method: 'POST',
    path: '/packets/{id}/archive',
    effect: 'changes',
    tag,
    scope: 'packets:write',
    summary: 'Archive a packet',
    errors: ['resource_missing', 'default_packet', 'last_packet', 'concurrent_edit'],
    etag: true,
  })
    .input(schemas.PacketId)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input }) => serializePacket(await service.archivePacket(ctx.scope, input.id))),

  restore: defineApiOperation({
    method: 'POST',
    path: '/packets/{id}/restore',
    effect: 'changes',
    tag,
    scope: 'packets:write',
    pro_only: true,
    summary: 'Restore a packet',
    errors: ['resource_missing', 'packet_limit_reached', 'concurrent_edit'],
    etag: true,
  })
    .input(schemas.PacketId)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input }) => serializePacket(await service.restorePacket(ctx.scope, input.id))),

  retrieve_default: defineApiOperation({
    ...read,
    method: 'GET',
    path: '/properties/{id}/packet',
    summary: 'Retrieve the property’s packet',
  })
    .input(schemas.PropertyIdOfDefaultPacketInput)
    .output(schemas.Packet)
    .query(async ({ ctx, input }) => serializePacket(await service.retrieveDefaultPacket(ctx.scope, input.id))),

  replace_default: defineApiOperation({
    ...edit,
    method: 'PUT',
    path: '/properties/{id}/packet',
    effect: 'changes',
    summary: 'Replace the property’s packet',
    description: 'Absent fields become empty. The name is kept.',
  })
    .input(schemas.DefaultPacketUpdate)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input: { id, ...given } }) => {
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.PACKET_READ_ONLY_FIELDS);
      const options = { if_match: ctx.if_match, read_only, how: 'put' } as const;
      return serializePacket(await service.updateDefaultPacket(ctx.scope, id, changes, options));
    }),

  update_default: defineApiOperation({
    ...edit,
    method: 'PATCH',
    path: '/properties/{id}/packet',
    effect: 'changes',
    summary: 'Update the property’s packet',
    description: arrays,
  })
    .input(schemas.DefaultPacketUpdate)
    .output(schemas.Packet)
    .mutation(async ({ ctx, input: { id, ...given } }) => {
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.PACKET_READ_ONLY_FIELDS);
      const options = { if_match: ctx.if_match, read_only, how: 'patch' } as const;
      return serializePacket(await service.updateDefaultPacket(ctx.scope, id, changes, options));
    }),
});
