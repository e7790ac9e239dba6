/**
 * Property: inputs and resource (specification, "Property", "PropertyCreate", "PropertyUpdate").
 */
import { z } from 'zod';
import { ACCEPTANCE_STATEMENT_NAMES } from '@/shared/guest-text/acceptances';
import { Metadata, MetadataChange } from '@/shared/metadata';
import { isHostnameSafeInHeader } from '@/shared/plain-host';
import { listReadOnlyFields } from '@/shared/read-only';
import { SCHEMA_PROBLEMS } from '@/shared/refusals/schema-problems';
import {
  defineDeletionResponse,
  defineListEnvelope,
  defineRequestInput,
  EmailAddress,
  endingBeforeCursorField,
  idField,
  listLimitField,
  objectTypeField,
  optionalTextField,
  singleLineTextField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';
import { isTimeZone } from '@/shared/zoned-time';
import { EMBED_ORIGIN_PATTERN, MAX_EMBED_ORIGINS, MAX_ORIGIN_LENGTH, parseEmbedOrigin } from './embed-origins.rules';
import { isReservedSubdomain } from './subdomain.rules';

const brandColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, SCHEMA_PROBLEMS.wrong_colour)
  .nullable();
const logoUrl = z
  .url({ protocol: /^https?$/, error: SCHEMA_PROBLEMS.wrong_url })
  .max(2_000, 'must have at most 2000 characters')
  .refine((text) => !URL.canParse(text) || isHostnameSafeInHeader(new URL(text)), SCHEMA_PROBLEMS.wrong_host)
  .nullable();
const subdomain = z
  .string()
  .regex(/^[a-z][a-z0-9-]{2,29}$/, SCHEMA_PROBLEMS.wrong_subdomain)
  .nullable();
const customDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'must have at most 253 characters')
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    SCHEMA_PROBLEMS.wrong_domain,
  )
  .nullable();
const timezone = z.string().max(64).refine(isTimeZone, SCHEMA_PROBLEMS.wrong_zone).nullable();
const embedOrigins = z
  .array(
    z
      .string()
      .trim()
      .max(MAX_ORIGIN_LENGTH, `must have at most ${MAX_ORIGIN_LENGTH} characters`)
      .overwrite((text) => parseEmbedOrigin(text) ?? text)
      .refine((text) => parseEmbedOrigin(text) !== null, 'must be an https origin like https://portal.example')
      .meta({ pattern: EMBED_ORIGIN_PATTERN.source }),
  )
  .max(MAX_EMBED_ORIGINS, `must have at most ${MAX_EMBED_ORIGINS} origins`)
  .overwrite((origins) => [...new Set(origins)]);
const offsetHours = z
  .number()
  .int('must be a whole number from 1 to 336')
  .min(1, 'must be from 1 to 336')
  .max(336, 'must be from 1 to 336')
  .nullable();

const writable = {
  name: singleLineTextField(120).meta({ description: 'The name guests see.', example: 'Harbour Loft' }),
  address: optionalTextField(240).meta({
    description: 'The postal address, shown to the guest.',
    example: 'Rua da Praia 12, Cascais',
  }),
  brand_color: brandColor.meta({ description: 'The colour of the signing page.', example: '#0f766e' }),
  logo_url: logoUrl.meta({
    description:
      'The logo for the signing page. It is also on the certificate when it is a PNG or JPEG. An https URL with a public host and without credentials.',
    example: 'https://example.com/logo.png',
  }),
  subdomain: subdomain
    .refine((name) => name === null || !isReservedSubdomain(name), 'is reserved')
    .meta({
      description: 'The vanity subdomain of signing links. Unique; names like `www`, `api` or `mail` are reserved.',
      example: 'harbour-loft',
    }),
  custom_domain: customDomain.meta({
    description: 'Your own host name for signing links. It belongs to the property whose TXT record is in its DNS.',
    example: 'rules.example.com',
  }),
  timezone: timezone.meta({
    description: 'IANA zone; sending, reminders and expiry follow it. Null means UTC.',
    example: 'Europe/Lisbon',
  }),
  auto_send_packet: z.boolean().meta({ description: 'Send the packet automatically before check-in.' }),
  auto_send_offset_hours: offsetHours.meta({ description: 'How many hours before check-in, 1 to 336.', example: 72 }),
  auto_reminders: z.boolean().meta({ description: 'Remind unsigned guests 24 h and 2 h before check-in.' }),
  lat: z.number().min(-90).max(90).nullable().meta({ description: 'Latitude in degrees.', example: 38.6979 }),
  lng: z.number().min(-180).max(180).nullable().meta({ description: 'Longitude in degrees.', example: -9.4215 }),
  city: optionalTextField(80).meta({ description: 'The city.', example: 'Cascais' }),
  photo_required: z.boolean().meta({ description: 'Ask the guest for a photo at signing.' }),
  otp_required: z.boolean().meta({ description: 'Ask the guest for a one-time code, sent by mail, before signing.' }),
  required_acceptances: z
    .array(z.enum(ACCEPTANCE_STATEMENT_NAMES))
    .max(ACCEPTANCE_STATEMENT_NAMES.length, `must have at most ${ACCEPTANCE_STATEMENT_NAMES.length} entries`)
    .refine((names) => new Set(names).size === names.length, 'must not name an acceptance twice')
    .meta({
      description:
        'What the guest has to accept separately when signing, each with its own checkbox and sentence: `damage`, `deposit`, `smoking`, `cancellation`. Beta.',
      example: ['damage', 'deposit'],
    }),
  reply_to_email: EmailAddress.nullable().meta({
    description: 'The address for guests’ replies to mails. Null means the team’s contact address. Beta.',
    example: 'host@example.com',
  }),
  parallel_stays: z.boolean().meta({
    description:
      'Whether several parties may stay at the same time, for example in several units of one property. If not, bookings from two sources for the same nights are shown to the host, and are not sent automatically until the host keeps both.',
  }),
  embed_origins: embedOrigins.meta({
    description:
      'The sites that may embed the signing page: at most ten https origins. In test mode also `http://localhost:3000` and similar. When empty, no site may embed it. Beta.',
    example: ['https://portal.example'],
  }),
  metadata: MetadataChange,
  test_clock_id: idField('test_clock', 'The id of a test clock.').nullable().meta({
    description: 'The test clock that the property uses, in test mode. Null means the real time. Beta.',
    example: null,
  }),
};

export const Property = z
  .object({
    id: idField('property', 'The property’s id.'),
    object: objectTypeField('property'),
    name: writable.name,
    address: z
      .string()
      .nullable()
      .meta({ description: 'The postal address, shown to the guest.', example: 'Rua da Praia 12, Cascais' }),
    brand_color: writable.brand_color,
    logo_url: z.url().nullable().meta({
      description: 'The logo on the signing page and the certificate.',
      example: 'https://example.com/logo.png',
    }),
    subdomain: subdomain.meta({ description: 'The vanity subdomain of signing links.', example: 'harbour-loft' }),
    custom_domain: z.string().nullable().meta({
      description: 'Your own host name for signing links. Used once its DNS record is verified.',
      example: 'rules.example.com',
    }),
    timezone: z.string().nullable().meta({
      description: 'IANA time zone; sending, reminders and expiry follow it. Null means UTC.',
      example: 'Europe/Lisbon',
    }),
    auto_send_packet: z.boolean().meta({ description: 'Whether the packet is sent automatically before check-in.' }),
    auto_send_offset_hours: z
      .int()
      .min(1)
      .max(336)
      .nullable()
      .meta({ description: 'How many hours before check-in it is sent. Null means 72.' }),
    auto_reminders: z
      .boolean()
      .meta({ description: 'Whether unsigned guests are reminded 24 h and 2 h before check-in.' }),
    lat: z.number().nullable().meta({ description: 'Latitude in degrees.' }),
    lng: z.number().nullable().meta({ description: 'Longitude in degrees.' }),
    city: z.string().nullable().meta({ description: 'The city.' }),
    photo_required: z.boolean().meta({ description: 'Whether the guest is asked for a photo at signing.' }),
    otp_required: z
      .boolean()
      .meta({ description: 'Whether the guest has to enter a one-time code, sent by mail, before signing.' }),
    required_acceptances: z
      .array(z.enum(ACCEPTANCE_STATEMENT_NAMES))
      .meta({ description: 'What the guest has to accept separately when signing. Beta.', example: ['damage'] }),
    reply_to_email: z
      .string()
      .nullable()
      .meta({ description: 'The address for guests’ replies to mails. Null means the team’s contact address. Beta.' }),
    parallel_stays: writable.parallel_stays,
    embed_origins: z
      .array(z.string())
      .meta({ description: 'The sites that may embed the signing page. Beta.', example: [] }),
    metadata: Metadata,
    test_clock_id: writable.test_clock_id,
    custom_domain_verified_at: timestampField('When the DNS record of the custom domain was verified.').nullable(),
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it last changed.'),
  })
  .meta({ id: 'Property', description: 'A listing with its branding and automation settings.' });
export type Property = z.infer<typeof Property>;

export const PROPERTY_READ_ONLY_FIELDS = listReadOnlyFields(
  Property,
  Object.keys(writable) as (keyof typeof writable)[],
);

export const PropertyCreate = defineRequestInput(
  z.strictObject({
    object: objectTypeField('property').optional(),
    name: writable.name,
    address: writable.address.optional(),
    brand_color: writable.brand_color.optional(),
    logo_url: writable.logo_url.optional(),
    subdomain: writable.subdomain.optional(),
    custom_domain: writable.custom_domain.optional(),
    timezone: writable.timezone.optional(),
    auto_send_packet: writable.auto_send_packet.default(false),
    auto_send_offset_hours: writable.auto_send_offset_hours.optional(),
    auto_reminders: writable.auto_reminders.default(false),
    lat: writable.lat.optional(),
    lng: writable.lng.optional(),
    city: writable.city.optional(),
    photo_required: writable.photo_required.default(false),
    otp_required: writable.otp_required.default(false),
    required_acceptances: writable.required_acceptances.default([]),
    reply_to_email: writable.reply_to_email.optional(),
    parallel_stays: writable.parallel_stays.default(false),
    embed_origins: writable.embed_origins.default([]),
    metadata: writable.metadata.optional(),
    test_clock_id: writable.test_clock_id.optional(),
  }),
);
export type PropertyCreate = z.infer<typeof PropertyCreate>;

/** The fields of an update. They have no defaults, because absent fields do not change. */
export const PropertyUpdate = defineRequestInput(
  z
    .strictObject(writable)
    .partial()
    .extend({ id: urlPathIdField('property', 'The property’s id.'), ...PROPERTY_READ_ONLY_FIELDS }),
);
export type PropertyUpdate = Omit<z.infer<typeof PropertyUpdate>, 'id' | keyof typeof PROPERTY_READ_ONLY_FIELDS>;

export const PropertyId = z.strictObject({ id: urlPathIdField('property', 'The property’s id.') });

export const PropertyDeletionInput = z.strictObject({
  id: urlPathIdField('property', 'The property’s id.'),
  force: z
    .boolean()
    .default(false)
    .meta({ description: 'Delete the property even when it has active reservations. They are deleted too.' }),
});

export const PropertyListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
  subdomain: z.string().meta({ description: 'Only the property with this subdomain.' }).optional(),
});
export type PropertyListQuery = z.infer<typeof PropertyListQuery>;

export const PropertyList = defineListEnvelope(Property, 'PropertyList');
export const PropertyDeleted = defineDeletionResponse('property', 'PropertyDeleted');
