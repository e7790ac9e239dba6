/** The operations on properties. */
import { defineInputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import {
  createEmptyPacketInCurrencyOfTimeZone,
  createInitialPacketContent,
} from '@/modules/packets/rules/initial-packet-content';
import { toListEnvelope } from '@/shared/lists/pagination';
import { separateChangesFromReadOnlyFields } from '@/shared/read-only';
import { HostPropertyListQuery } from './host.schemas';
import * as schemas from './schemas';
import { serializeProperty } from './serializer';
import * as service from './service';

const tag = 'Properties';

export const propertiesRouter = router({
  list: defineApiOperation({
    method: 'GET',
    path: '/properties',
    tag,
    scope: 'properties:read',
    pro_only: true,
    summary: 'List properties',
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.PropertyListQuery, HostPropertyListQuery))
    .output(schemas.PropertyList)
    .query(async ({ ctx, input }) =>
      toListEnvelope(await service.listProperties(ctx.scope, input), '/v1/properties', serializeProperty),
    ),

  create: defineApiOperation({
    method: 'POST',
    path: '/properties',
    effect: 'adds',
    tag,
    scope: 'properties:write',
    pro_only: true,
    success_status: 201,
    summary: 'Create a property',
    description: 'Creates a property together with its default packet.',
    errors: ['resource_missing', 'property_limit_reached', 'subdomain_taken', 'custom_domain_taken'],
    etag: true,
  })
    .input(schemas.PropertyCreate)
    .output(schemas.Property)
    .mutation(async ({ ctx, input: { object: _, ...property } }) =>
      serializeProperty(
        await service.createProperty(ctx.scope, property, {
          packetOf: ctx.by_host ? createInitialPacketContent : createEmptyPacketInCurrencyOfTimeZone,
        }),
      ),
    ),

  retrieve: defineApiOperation({
    method: 'GET',
    path: '/properties/{id}',
    tag,
    scope: 'properties:read',
    summary: 'Retrieve a property',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.PropertyId)
    .output(schemas.Property)
    .query(async ({ ctx, input }) => serializeProperty(await service.retrieveProperty(ctx.scope, input.id))),

  update: defineApiOperation({
    method: 'PATCH',
    path: '/properties/{id}',
    // Irreversible, because an update can enable automatic sending.
    effect: 'irreversible',
    tag,
    scope: 'properties:write',
    summary: 'Update a property',
    description: 'Only the fields present are updated.',
    errors: ['resource_missing', 'subdomain_taken', 'custom_domain_taken', 'etag_mismatch', 'concurrent_edit'],
    etag: true,
  })
    .input(schemas.PropertyUpdate)
    .output(schemas.Property)
    .mutation(async ({ ctx, input: { id, ...given } }) => {
      const [changes, read_only] = separateChangesFromReadOnlyFields(given, schemas.PROPERTY_READ_ONLY_FIELDS);
      return serializeProperty(await service.updateProperty(ctx.scope, id, changes, ctx.if_match, read_only));
    }),
});
