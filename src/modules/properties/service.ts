/** What can be done with a property (specification, "Properties"). */

import { domainToASCII, domainToUnicode } from 'node:url';
import { config } from '@/config';
import { recordEvent } from '@/events/record';
import type { Property } from '@/generated/prisma/client';
import type { Page } from '@/infra/db/keyset';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { loadTeamPlan } from '@/modules/accounts/plan';
import { assertCanCreateProperty } from '@/modules/accounts/plans.rules';
import { recordAudit } from '@/modules/audit-log/service';
import { hostsPacket } from '@/modules/packets/rules/hosts-packet';
import { createDefaultPacket } from '@/modules/packets/service';
import { holdClock } from '@/modules/test-clocks/service';
import { assertReadOnly } from '@/shared/assert-read-only';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { assertEtag } from '@/shared/etag';
import { newId } from '@/shared/ids';
import { refusal } from '@/shared/refusals/refusal';
import { assertMayConnect } from '@/shared/roles';
import type { Scope } from '@/shared/scope';
import { UNKNOWN } from './domains/health.rules';
import { isLocalOrigin } from './embed-origins.rules';
import type { HostPropertyListQuery } from './host.schemas';
import { logoProblem } from './logo/logo-url.rules';
import * as repository from './repository';
import type { PropertyCreate, PropertyUpdate } from './schemas';
import { serializeProperty } from './serializer';

/** Throws resource_missing. */
export async function retrieveProperty(scope: Scope, id: string): Promise<Property> {
  const row = await repository.findProperty(scope, id);
  if (!row) throw missingProperty(scope, id);
  return row;
}

export function missingProperty(scope: Scope, id: string, param?: string): AppError {
  return new AppError('resource_missing', {
    message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'property', id }),
    param,
  });
}

/** Newest first. Throws conflicting_cursors and invalid_cursor. */
export function listProperties(scope: Scope, query: HostPropertyListQuery): Promise<Page<Property>> {
  return repository.listProperties(scope, query);
}

/** Creates a property with its default packet, which for a host has the money of its zone and codes that wait. Throws plan_required, invalid_field, property_limit_reached, subdomain_taken, custom_domain_taken, resource_missing. */
export async function createProperty(scope: Scope, input: PropertyCreate, by_host = false): Promise<Property> {
  const plan = await loadTeamPlan(scope);
  refuseLocalOrigins(scope, input);
  if ((input.embed_origins ?? []).length > 0) assertMayConnect(scope);
  assertHostNames(input);
  assertLogo(input, null);
  const held = await heldNames(scope, input);
  return refusingTaken(() =>
    inTransaction(scope, async () => {
      await lockTeam(scope);
      assertCanCreateProperty(plan, scope.mode, await repository.countProperties(scope));
      refuseNames(held, input, null);
      if (input.test_clock_id) await holdClock(scope, input.test_clock_id);
      const now = clock().now();
      const row = await repository.insertProperty(scope, {
        ...input,
        id: newId('property'),
        created_at: now,
        updated_at: now,
      });
      if (row.embed_origins.length > 0) await noteEmbedding(scope, row);
      await createDefaultPacket(scope, row.id, by_host ? hostsPacket(row.timezone) : undefined);
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
 * Changes the fields that are present. Nothing is written and no event recorded when nothing differs.
 * Throws resource_missing, invalid_field, etag_mismatch, concurrent_edit, subdomain_taken, custom_domain_taken.
 */
export async function updateProperty(
  scope: Scope,
  id: string,
  changes: PropertyUpdate,
  if_match: string | null,
  read_only: Record<string, unknown> = {},
): Promise<Property> {
  refuseLocalOrigins(scope, changes);
  assertHostNames(changes);
  const held = await heldNames(scope, changes);
  return refusingTaken(() =>
    inTransaction(scope, async () => {
      const before = await retrieveProperty(scope, id);
      assertEtag(if_match, serializeProperty(before));
      assertReadOnly(read_only, serializeProperty(before));
      assertLogo(changes, before);
      refuseNames(held, changes, before);
      const differing = Object.fromEntries(
        Object.entries(changes).filter(
          ([field, value]) => value !== undefined && !isSame(value, before[field as keyof Property]),
        ),
      );
      if (Object.keys(differing).length === 0) return before;
      if ('embed_origins' in differing) assertMayConnect(scope);
      if (changes.test_clock_id) await holdClock(scope, changes.test_clock_id);
      // Another name has to be proved anew.
      if ('custom_domain' in differing) Object.assign(differing, { ...UNKNOWN, custom_domain_checked_at: null });
      const row = await repository.saveProperty(scope, id, before.version, {
        ...differing,
        updated_at: clock().now(),
      });
      if (!row) throw new AppError('concurrent_edit');
      if ('embed_origins' in differing) await noteEmbedding(scope, row);
      const shown = serializeProperty(before);
      const after = serializeProperty(row);
      const previous_attributes = Object.fromEntries(
        Object.entries(shown).filter(
          ([field, value]) => field in differing && !isSame(value, after[field as keyof typeof after]),
        ),
      );
      await recordEvent(scope, {
        type: 'property.updated',
        object_id: id,
        data: { object: after, previous_attributes },
      });
      return row;
    }),
  );
}

/** Lists are the same when their items are. */
const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) ? JSON.stringify(one) === JSON.stringify(other) : one === other;

/** A page on somebody's own machine may show what is signed there in test mode alone. */
function refuseLocalOrigins(scope: Scope, { embed_origins = [] }: PropertyUpdate): void {
  const at = scope.mode === 'test' ? -1 : embed_origins.findIndex(isLocalOrigin);
  if (at !== -1)
    throw new AppError('invalid_field', {
      param: `embed_origins[${at}]`,
      message: refusal('localhost_in_test_mode'),
    });
}

/** A label of punycode that says nothing can stand in no link, though some versions of Node take it. Throws invalid_field. */
function assertHostNames({ subdomain, custom_domain }: PropertyUpdate): void {
  for (const [param, name] of Object.entries({ subdomain, custom_domain }))
    if (!(name ?? '').split('.').every(saysSomething))
      throw new AppError('invalid_field', {
        param,
        message: refusal('punycode_says_nothing'),
      });
}

/** What is saved already stays as it is. Throws invalid_field. */
function assertLogo({ logo_url }: PropertyUpdate, before: Property | null): void {
  if (!logo_url || logo_url === before?.logo_url) return;
  const { app_url, outbound_allow_loopback } = config();
  const message = logoProblem(logo_url, { own: `${app_url}/logo/`, allow_loopback: outbound_allow_loopback });
  if (message) throw new AppError('invalid_field', { param: 'logo_url', message });
}

function saysSomething(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const meant = domainToUnicode(label);
  return meant !== label && domainToASCII(meant) === label;
}

/** Who may show the page is told to whoever looks after the team: clicks of guests are at stake. */
const noteEmbedding = (scope: Scope, { id, embed_origins }: Property) =>
  recordAudit(scope, { action: 'property.embedding_changed', object_id: id, data: { origins: embed_origins } });

/**
 * A test-mode property gets no host name that a live one has. The other way round it may: test data, which anybody can
 * make for nothing, keeps no name from whoever needs it; both then have their pages there, each under its own links. A custom
 * domain is kept from others by a proof alone: anybody may claim one, and the newest proof has it.
 */
async function heldNames(scope: Scope, names: PropertyUpdate) {
  return repository.findHolders(scope.mode, names);
}

/** Refuses the names that are held and were not the property's own before. Throws subdomain_taken, custom_domain_taken. */
function refuseNames(held: Awaited<ReturnType<typeof heldNames>>, names: PropertyUpdate, own: Property | null): void {
  if (held.subdomain && names.subdomain !== own?.subdomain)
    throw new AppError('subdomain_taken', { param: 'subdomain' });
  if (held.custom_domain && names.custom_domain !== own?.custom_domain)
    throw new AppError('custom_domain_taken', { param: 'custom_domain' });
}

/** Subdomains are unique over the installation, in each mode; the database decides, also between two requests at once. */
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
