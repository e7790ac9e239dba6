/** Manages packets (specification, "Packets"). */

import { recordEvent } from '@/events/record';
import type { Packet } from '@/generated/prisma/client';
import { lockPropertyAgainstDeletion, lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { assertCanAddPacket, getPricePlanLimits } from '@/modules/accounts/plans.rules';
import { loadTeamPricePlanColumns } from '@/modules/accounts/team.service';
import { assertReadOnlyFieldsUnchanged } from '@/shared/assert-read-only';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { findUnknownShortCodes, GUEST_TEXT_SHORT_CODES } from '@/shared/guest-text/short-codes';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { revisionContentJsonColumn } from './json-columns.schemas';
import * as repository from './repository';
import { createEmptyPacketContent, editPacketContent, isSamePacketContent } from './rules/content';
import * as lifecycle from './rules/lifecycle';
import type { PacketContent } from './schemas';
import {
  convertPacketContentToColumns,
  convertPacketRowToContent,
  serializePacket,
  serializePacketForEvent,
} from './serializer';

type PacketWrite = { if_match: string | null; read_only?: Record<string, unknown> };

/** Returns a packet. Throws resource_missing. */
export async function retrievePacket(scope: Scope, id: string): Promise<Packet> {
  const row = await repository.findPacket(scope, id);
  if (!row) throw createResourceMissingError(scope, 'packet', id);
  return row;
}

/** Returns the property's default packet. Throws resource_missing. */
export async function retrieveDefaultPacket(scope: Scope, property_id: string): Promise<Packet> {
  const row = await repository.findDefaultPacket(scope, property_id);
  if (row) return row;
  await assertProperty(scope, property_id);
  throw new AppError('resource_missing', { message: createRefusal('property_has_no_active_packet') });
}

async function assertProperty(scope: Scope, property_id: string): Promise<void> {
  if (await repository.doesPropertyExist(scope, property_id)) return;
  throw createResourceMissingError(scope, 'property', property_id);
}

/** Returns a property's packets, active before archived. Throws resource_missing. */
export async function listPackets(scope: Scope, property_id: string): Promise<Packet[]> {
  const rows = await repository.listPackets(scope, property_id);
  if (rows.length === 0) await assertProperty(scope, property_id);
  return rows;
}

/** Creates the packet of a new property. */
export async function createDefaultPacket(
  scope: Scope,
  property_id: string,
  content: ReturnType<typeof createEmptyPacketContent>,
): Promise<Packet> {
  const now = clock().now();
  return repository.insertPacket(scope, {
    ...convertPacketContentToColumns(content),
    id: newId('packet'),
    property_id,
    name: 'House rules',
    is_default: true,
    created_at: now,
    updated_at: now,
  });
}

/** Creates a packet. Throws resource_missing (also for `copy_from`), packet_limit_reached. */
export async function createPacket(
  scope: Scope,
  property_id: string,
  input: { name: string; copy_from?: string },
): Promise<Packet> {
  const plan = await loadTeamPricePlanColumns(scope);
  return inTransaction(scope, async () => {
    if (!(await lockPropertyAgainstDeletion(scope, property_id))) await assertProperty(scope, property_id);
    await lockTeam(scope);
    assertCanAddPacket(plan, scope.mode, await repository.countActivePackets(scope, property_id));
    const original = input.copy_from ? await repository.findPacket(scope, input.copy_from) : null;
    if (input.copy_from && !original) {
      throw new AppError('resource_missing', {
        message: createRefusal('no_such_packet', { id: input.copy_from }),
        param: 'copy_from',
      });
    }
    const now = clock().now();
    const standard = original ?? (await repository.findDefaultPacket(scope, property_id));
    const content = original ? convertPacketRowToContent(original) : createEmptyPacketContent(standard?.currency);
    const row = await repository.insertPacket(scope, {
      ...convertPacketContentToColumns(content),
      id: newId('packet'),
      property_id,
      name: input.name,
      created_at: now,
      updated_at: now,
    });
    await recordUpdate(scope, row);
    return row;
  });
}

/**
 * Handles PATCH of a packet. Absent fields do not change, arrays are replaced, and maps are merged.
 * Throws resource_missing, packet_archived, etag_mismatch and concurrent_edit.
 */
export async function updatePacket(
  scope: Scope,
  id: string,
  changes: PacketContent,
  options: PacketWrite,
): Promise<Packet> {
  assertSound(changes);
  return inTransaction(scope, async () => {
    await lockTeam(scope);
    return edit(scope, await retrievePacket(scope, id), changes, options, 'patch');
  });
}

/** Handles PATCH and PUT of the property's default packet. In a PUT, absent fields become empty. */
export async function updateDefaultPacket(
  scope: Scope,
  property_id: string,
  changes: PacketContent,
  options: PacketWrite & { how: 'patch' | 'put' },
): Promise<Packet> {
  assertSound(changes);
  return inTransaction(scope, async () => {
    await lockTeam(scope);
    return edit(scope, await retrieveDefaultPacket(scope, property_id), changes, options, options.how);
  });
}

async function edit(
  scope: Scope,
  before: Packet,
  changes: PacketContent,
  { if_match, read_only = {} }: PacketWrite,
  how: 'patch' | 'put',
): Promise<Packet> {
  assertEtagMatches(if_match, serializePacket(before));
  assertReadOnlyFieldsUnchanged(read_only, serializePacket(before));
  lifecycle.throwIfPacketChangeRefused(lifecycle.decidePacketEdit(factsOf(before)));
  const { name = before.name, ...input } = changes;
  const stored = convertPacketRowToContent(before);
  const content = editPacketContent(how === 'put' ? createEmptyPacketContent(stored.currency) : stored, input, newId);
  if (name === before.name && isSamePacketContent(content, stored)) return before;
  const now = clock().now();
  const row = await repository.savePacketIfVersionUnchanged(scope, before.id, before.version, {
    ...convertPacketContentToColumns(content),
    name,
    updated_at: now,
  });
  if (!row) throw new AppError('concurrent_edit');
  await repository.insertPacketRevision(
    scope,
    before,
    revisionContentJsonColumn.write({ name: before.name, ...stored }),
    actorName(scope),
    now,
  );
  await recordUpdate(scope, row);
  return row;
}

/**
 * Validates an edit before the packet is read, so that invalid input is reported before other
 * errors. Throws invalid_field and the errors of editPacketContent.
 */
function assertSound({ name: _name, ...input }: PacketContent): void {
  assertShortCodes(input);
  editPacketContent(createEmptyPacketContent(), input, newId);
}

/** Throws invalid_field for a mistyped short code, which guests would see as text. */
function assertShortCodes(input: Omit<PacketContent, 'name'>): void {
  const texts: [string, string | null | undefined][] = [
    ['welcome_message', input.welcome_message],
    ['safety_notes', input.safety_notes],
    ...(input.rules ?? []).map((rule, index): [string, string] => [`rules[${index}].text`, rule.text]),
    ...(input.fees ?? []).flatMap((fee, index): [string, string | null | undefined][] => [
      [`fees[${index}].label`, fee.label],
      [`fees[${index}].description`, fee.description],
    ]),
    ...(['door_code', 'checkin_notes', 'parking_notes'] as const).map((group): [string, string | null | undefined] => [
      `arrival_details.${group}`,
      input.arrival_details?.[group],
    ]),
  ];
  for (const [param, text] of texts) {
    const unknown = findUnknownShortCodes(text ?? '')[0];
    if (unknown !== undefined) {
      throw new AppError('invalid_field', {
        param,
        message: `\`{{${unknown}}}\` is not a short code. There are ${Object.keys(GUEST_TEXT_SHORT_CODES).join(', ')}.`,
      });
    }
  }
}

/** Archives a packet. Throws resource_missing, default_packet, last_packet and concurrent_edit. */
export function archivePacket(scope: Scope, id: string): Promise<Packet> {
  return change(scope, id, lifecycle.decidePacketArchival);
}

/** Restores a packet. Throws resource_missing, packet_limit_reached, concurrent_edit. */
export function restorePacket(scope: Scope, id: string): Promise<Packet> {
  return change(scope, id, lifecycle.decidePacketRestoration);
}

/**
 * Makes a packet the property's default packet. Throws resource_missing, packet_archived and
 * concurrent_edit.
 */
export function setDefaultPacket(scope: Scope, id: string): Promise<Packet> {
  return change(scope, id, lifecycle.decideDefaultPacketChange);
}

async function change(
  scope: Scope,
  id: string,
  decide: (
    facts: lifecycle.PacketLifecycleFields,
    context: lifecycle.PacketLifecycleContext,
    now: Date,
  ) => lifecycle.PacketLifecycleChangeOrRefusal,
): Promise<Packet> {
  const plan = await loadTeamPricePlanColumns(scope);
  return inTransaction(scope, async () => {
    await lockTeam(scope);
    const before = await retrievePacket(scope, id);
    const context = await loadContext(scope, before, getPricePlanLimits(plan, scope.mode).active_packets);
    const now = clock().now();
    const decision = lifecycle.throwIfPacketChangeRefused(decide(factsOf(before), context, now));
    if (decision.kind === 'unchanged') return before;
    const demoted = decision.demotes_default
      ? await repository.removeDefaultFlagFromPropertyPacket(scope, before.property_id, now)
      : [];
    const row = await repository.savePacketIfVersionUnchanged(scope, id, before.version, {
      ...decision.changes,
      updated_at: now,
    });
    if (!row) throw new AppError('concurrent_edit');
    for (const changed of [...demoted, row]) await recordUpdate(scope, changed);
    return row;
  });
}

/**
 * Deletes a packet. Throws resource_missing, packet_in_use, last_packet, default_packet,
 * etag_mismatch, concurrent_edit.
 */
export async function deletePacket(scope: Scope, id: string, options: PacketWrite): Promise<void> {
  await inTransaction(scope, async () => {
    await lockTeam(scope);
    await repository.lockPacket(scope, id);
    const row = await retrievePacket(scope, id);
    assertEtagMatches(options.if_match, serializePacket(row));
    lifecycle.throwIfPacketChangeRefused(
      lifecycle.decidePacketDeletion(factsOf(row), await loadContext(scope, row, 0)),
    );
    if (!(await repository.deletePacket(scope, id, row.version))) throw new AppError('concurrent_edit');
    await recordEvent(scope, {
      type: 'packet.updated',
      object_id: id,
      data: { object: serializePacketForEvent(row), deleted: true },
    });
  });
}

/**
 * Returns the packet's content before each of its latest changes, newest first. Throws
 * resource_missing.
 */
export async function listPacketRevisions(scope: Scope, id: string) {
  await retrievePacket(scope, id);
  return repository.listRevisions(scope, id);
}

async function loadContext(scope: Scope, row: Packet, packet_limit: number): Promise<lifecycle.PacketLifecycleContext> {
  return {
    active_packets: await repository.countActivePackets(scope, row.property_id),
    referenced: await repository.isPacketUsedByReservation(scope, row.id),
    packet_limit,
  };
}

function factsOf(row: Packet): lifecycle.PacketLifecycleFields {
  return { status: row.status === 'archived' ? 'archived' : 'active', is_default: row.is_default };
}

function actorName({ actor }: Scope): string {
  return 'name' in actor ? actor.name : actor.kind;
}

async function recordUpdate(scope: Scope, row: Packet): Promise<void> {
  await recordEvent(scope, {
    type: 'packet.updated',
    object_id: row.id,
    data: { object: serializePacketForEvent(row) },
  });
}
