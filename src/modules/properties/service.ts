/** Manages properties (specification, "Properties"). */

import { domainToASCII, domainToUnicode } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { config } from '@/config';
import { getPreviousAttributes } from '@/events/previous-attributes';
import { recordEvent } from '@/events/record';
import type { Property } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { assertCanCreateProperty } from '@/modules/accounts/plans.rules';
import { loadTeamPricePlanColumns } from '@/modules/accounts/team.service';
import { recordAuditEntry } from '@/modules/audit-log/service';
import type { PacketContent } from '@/modules/packets/rules/content';
import { createEmptyPacketInCurrencyOfTimeZone } from '@/modules/packets/rules/initial-packet-content';
import { createDefaultPacket } from '@/modules/packets/service';
import { lockTestClockAgainstDeletion } from '@/modules/test-clocks/service';
import { assertMemberCanManageIntegrations } from '@/shared/assert-may-connect';
import { assertReadOnlyFieldsUnchanged } from '@/shared/assert-read-only';
import { applyMetadataChange } from '@/shared/changed-metadata';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import type { CustomMailTexts } from '@/shared/guest-text/mail-texts';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { UNCHECKED_DOMAIN_HEALTH } from './domains/health.rules';
import { isLocalOrigin } from './embed-origins.rules';
import { propertyMetadataJsonColumn } from './json-columns.schemas';
import { findLogoUrlRefusalReason } from './logo/logo-url.rules';
import { mailTextsJsonColumn } from './mail-texts/schemas';
import * as repository from './repository';
import type { PropertyCreate, PropertyUpdate } from './schemas';
import { serializeProperty } from './serializer';

/** Returns a property. Throws resource_missing. */
export async function retrieveProperty(scope: Scope, id: string): Promise<Property> {
  const row = await repository.findProperty(scope, id);
  if (!row) throw createResourceMissingError(scope, 'property', id);
  return row;
}

/** Lists properties, newest first. Throws conflicting_cursors and invalid_cursor. */
export const { listProperties } = repository;

/** Values of a new property that API clients cannot set. */
interface Beginning {
  packetOf?: (timezone: string | null) => PacketContent;
  mail_texts?: CustomMailTexts;
}

/**
 * Creates a property with a default packet, whose content `packetOf` returns. Throws plan_required,
 * invalid_field, property_limit_reached, subdomain_taken, custom_domain_taken and resource_missing.
 */
export async function createProperty(
  scope: Scope,
  input: PropertyCreate,
  { packetOf = createEmptyPacketInCurrencyOfTimeZone, mail_texts = {} }: Beginning = {},
): Promise<Property> {
  const plan = await loadTeamPricePlanColumns(scope);
  refuseLocalOrigins(scope, input);
  if ((input.embed_origins ?? []).length > 0) assertMemberCanManageIntegrations(scope);
  assertHostNames(input);
  assertLogo(input, null);
  const held = await repository.findTakenPropertyDomains(scope.mode, input);
  return refusingTaken(() =>
    inTransaction(scope, async () => {
      await lockTeam(scope);
      assertCanCreateProperty(plan, scope.mode, await repository.countProperties(scope));
      refuseNames(held, input, null);
      if (input.test_clock_id) await lockTestClockAgainstDeletion(scope, input.test_clock_id);
      const now = clock().now();
      const row = await repository.insertProperty(scope, {
        ...input,
        metadata: applyMetadataChange({}, input.metadata ?? {}),
        mail_texts: mailTextsJsonColumn.write(mail_texts),
        id: newId('property'),
        created_at: now,
        updated_at: now,
      });
      if (row.embed_origins.length > 0) await noteEmbedding(scope, row);
      await createDefaultPacket(scope, row.id, packetOf(row.timezone));
      await recordEvent(scope, {
        type: 'property.created',
        object_id: row.id,
        data: { object: serializeProperty(row) },
      });
      return row;
    }),
  );
}

/**
 * Updates a property. Absent fields do not change. Throws resource_missing, invalid_field,
 * etag_mismatch, concurrent_edit, subdomain_taken and custom_domain_taken.
 */
export async function updateProperty(
  scope: Scope,
  id: string,
  given: PropertyUpdate,
  if_match: string | null,
  read_only: Record<string, unknown> = {},
): Promise<Property> {
  refuseLocalOrigins(scope, given);
  assertHostNames(given);
  const held = await repository.findTakenPropertyDomains(scope.mode, given);
  return refusingTaken(() =>
    inTransaction(scope, async () => {
      const before = await retrieveProperty(scope, id);
      assertEtagMatches(if_match, serializeProperty(before));
      assertReadOnlyFieldsUnchanged(read_only, serializeProperty(before));
      const changes = withMetadata(given, before);
      assertLogo(changes, before);
      refuseNames(held, changes, before);
      const differing = Object.fromEntries(
        Object.entries(changes).filter(
          ([field, value]) => value !== undefined && !isSame(value, before[field as keyof Property]),
        ),
      );
      if (Object.keys(differing).length === 0) return before;
      if ('embed_origins' in differing) assertMemberCanManageIntegrations(scope);
      if (changes.test_clock_id) await lockTestClockAgainstDeletion(scope, changes.test_clock_id);
      // A changed domain must be verified again.
      if ('custom_domain' in differing)
        Object.assign(differing, { ...UNCHECKED_DOMAIN_HEALTH, custom_domain_checked_at: null });
      const row = await repository.saveProperty(scope, id, before.version, {
        ...differing,
        updated_at: clock().now(),
      });
      if (!row) throw new AppError('concurrent_edit');
      if ('embed_origins' in differing) await noteEmbedding(scope, row);
      const after = serializeProperty(row);
      const previous_attributes = getPreviousAttributes(serializeProperty(before), after);
      await recordEvent(scope, {
        type: 'property.updated',
        object_id: id,
        data: { object: after, previous_attributes },
      });
      return row;
    }),
  );
}

/** Merges the new metadata into the stored metadata. */
const withMetadata = ({ metadata, ...changes }: PropertyUpdate, before: Property) => ({
  ...changes,
  ...(metadata && { metadata: applyMetadataChange(propertyMetadataJsonColumn.read(before.metadata), metadata) }),
});

/** Compares lists and objects by content. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'object' ? isDeepStrictEqual(one, other) : one === other;

/** Throws invalid_field for localhost origins in live mode. */
function refuseLocalOrigins(scope: Scope, { embed_origins = [] }: PropertyUpdate): void {
  const at = scope.mode === 'test' ? -1 : embed_origins.findIndex(isLocalOrigin);
  if (at !== -1)
    throw new AppError('invalid_field', {
      param: `embed_origins[${at}]`,
      message: createRefusal('localhost_in_test_mode'),
    });
}

/**
 * Throws invalid_field for a punycode label that decodes to nothing, because a link cannot contain
 * it.
 */
function assertHostNames({ subdomain, custom_domain }: PropertyUpdate): void {
  for (const [param, name] of Object.entries({ subdomain, custom_domain }))
    if (!(name ?? '').split('.').every(isDecodable))
      throw new AppError('invalid_field', { param, message: createRefusal('punycode_says_nothing') });
}

/** Throws invalid_field for an invalid logo URL. A stored URL is not validated again. */
function assertLogo({ logo_url }: PropertyUpdate, before: Property | null): void {
  if (!logo_url || logo_url === before?.logo_url) return;
  const { app_url, outbound_allow_loopback } = config();
  const message = findLogoUrlRefusalReason(logo_url, {
    own: `${app_url}/logo/`,
    allow_loopback: outbound_allow_loopback,
  });
  if (message) throw new AppError('invalid_field', { param: 'logo_url', message });
}

function isDecodable(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const meant = domainToUnicode(label);
  return meant !== label && domainToASCII(meant) === label;
}

/**
 * Records a change of embedding sites in the audit log, because a malicious embedding page could
 * trick guests into clicking.
 */
const noteEmbedding = (scope: Scope, { id, embed_origins }: Property) =>
  recordAuditEntry(scope, { action: 'property.embedding_changed', object_id: id, data: { origins: embed_origins } });

/**
 * Throws subdomain_taken or custom_domain_taken for a name that another property holds. A test
 * property cannot have a live property's name. A live property can have a test property's name, and
 * then both serve their pages under it. Any property may claim a custom domain, but only a verified
 * domain counts as held.
 */
function refuseNames(
  held: Awaited<ReturnType<typeof repository.findTakenPropertyDomains>>,
  names: PropertyUpdate,
  own: Property | null,
): void {
  if (held.subdomain && names.subdomain !== own?.subdomain)
    throw new AppError('subdomain_taken', { param: 'subdomain' });
  if (held.custom_domain && names.custom_domain !== own?.custom_domain)
    throw new AppError('custom_domain_taken', { param: 'custom_domain' });
}

/**
 * Converts a violation of the unique index to subdomain_taken. Subdomains are unique in each mode.
 */
async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const violation = JSON.stringify(
      (error as { code?: string; meta?: unknown }).code === 'P2002' ? (error as { meta?: unknown }).meta : '',
    );
    if (violation.includes('subdomain')) throw new AppError('subdomain_taken', { param: 'subdomain', internal: error });
    throw error;
  }
}
