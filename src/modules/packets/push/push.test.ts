import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { archivePacket, createPacket, retrieveDefaultPacket, updatePacket } from '../service';
import { copyPacketParts, previewPacketPartsCopy } from './service';

let scope: Scope;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
});

async function insertHouse(owner: Scope, name: string, ...rules: string[]) {
  const { id } = await createProperty(owner, PropertyCreate.parse({ name }));
  const packet = await retrieveDefaultPacket(owner, id);
  await updatePacket(
    owner,
    packet.id,
    {
      currency: 'EUR',
      rules: rules.map((text) => ({ text, category: null })),
      fees: [{ label: 'Cleaning', amount_cents: 5000, unit: null, description: null, type: null }],
      arrival_details: { door_code: name },
    } as never,
    { if_match: null },
  );
  return { property_id: id, packet_id: packet.id };
}
const rulesOf = async (packet_id: string) =>
  ((await systemDb().packet.findUniqueOrThrow({ where: { id: packet_id } })).rules as { text: string }[]).map(
    ({ text }) => text,
  );
async function shown(from: { packet_id: string }, ...to: { property_id: string }[]) {
  const { etag, targets } = await previewPacketPartsCopy(
    scope,
    from.packet_id,
    ['rules'],
    to.map(({ property_id }) => property_id),
  );
  return {
    input: {
      id: from.packet_id,
      etag,
      parts: ['rules' as const],
      targets: targets.map(({ packet_id, etag: seen }) => ({ packet_id, etag: seen })),
    },
    targets,
  };
}

describe('rules pushed to other properties', () => {
  it('are previewed, written once with history and event, and do not change arrival details', async () => {
    const from = await insertHouse(scope, 'One', 'No smoking.', 'Quiet after ten.');
    const [two, three] = [await insertHouse(scope, 'Two', 'no smoking.'), await insertHouse(scope, 'Three')];
    const { input, targets } = await shown(from, two, three, { property_id: 'prop_none' }, from);
    expect(targets.map(({ property_id, before }) => [property_id, before.rules.length])).toEqual([
      [two.property_id, 1],
      [three.property_id, 0],
    ]);
    expect(targets[0]?.after.rules.map(({ text }) => text)).toEqual(['No smoking.', 'Quiet after ten.']);
    expect(targets[0]?.after.rules[0]?.id).toBe(targets[0]?.before.rules[0]?.id);
    const events = await systemDb().event.count({ where: { type: 'packet.updated' } });
    expect((await copyPacketParts(scope, input)).rows.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect((await copyPacketParts(scope, input)).rows.map(({ outcome }) => outcome)).toEqual(['nothing', 'nothing']);
    expect(await rulesOf(two.packet_id)).toEqual(['No smoking.', 'Quiet after ten.']);
    expect(await rulesOf(three.packet_id)).toEqual(['No smoking.', 'Quiet after ten.']);
    expect(await systemDb().event.count({ where: { type: 'packet.updated' } })).toBe(events + 2);
    expect(await systemDb().packetRevision.count({ where: { packet_id: two.packet_id } })).toBe(2);
    expect(await systemDb().packet.findUniqueOrThrow({ where: { id: two.packet_id } })).toMatchObject({
      arrival_details: { door_code: 'Two' },
    });
  });

  it('reach variants of other properties and of their own, but no archived packets', async () => {
    const from = await insertHouse(scope, 'One', 'No smoking.');
    const two = await insertHouse(scope, 'Two');
    const own = await createPacket(scope, from.property_id, { name: 'Winter' });
    const winter = await createPacket(scope, two.property_id, { name: 'Winter' });
    const old = await createPacket(scope, two.property_id, { name: 'Old' });
    await archivePacket(scope, old.id);
    const { input, targets } = await shown(from, from, two);
    expect(new Set(targets.map(({ packet_id }) => packet_id))).toEqual(new Set([own.id, two.packet_id, winter.id]));
    expect(targets.filter(({ is_default }) => is_default).map(({ packet_id }) => packet_id)).toEqual([two.packet_id]);
    await copyPacketParts(scope, input);
    expect(await rulesOf(winter.id)).toEqual(['No smoking.']);
    expect(await rulesOf(own.id)).toEqual(['No smoking.']);
    expect(await rulesOf(old.id)).toEqual([]);
  });

  it('are written to all packets except those changed since the preview', async () => {
    const from = await insertHouse(scope, 'One', 'No smoking.');
    const [two, three] = [await insertHouse(scope, 'Two'), await insertHouse(scope, 'Three')];
    const { input } = await shown(from, two, three);
    await updatePacket(scope, two.packet_id, { welcome_message: 'Theirs' } as never, { if_match: null });
    const { rows } = await copyPacketParts(scope, input);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'done']);
    expect(String(rows[0]?.message)).toContain('changed in the meantime');
    expect(await rulesOf(two.packet_id)).toEqual([]);
    await updatePacket(scope, from.packet_id, { welcome_message: 'Mine' } as never, { if_match: null });
    await expect(copyPacketParts(scope, input)).rejects.toMatchObject({ code: 'etag_mismatch' });
  });

  it('do not reach another team’s packets', async () => {
    const from = await insertHouse(scope, 'One', 'No smoking.');
    const other = await insertTeam('live', 'other@example.com');
    const theirs = await insertHouse(other, 'Theirs', 'Ours.');
    const { targets, input } = await shown(from, theirs);
    expect(targets).toEqual([]);
    const { rows } = await copyPacketParts(scope, { ...input, targets: [{ packet_id: theirs.packet_id, etag: 'x' }] });
    expect(rows).toMatchObject([{ outcome: 'refused' }]);
    await expect(previewPacketPartsCopy(other, from.packet_id, ['rules'], [theirs.property_id])).rejects.toMatchObject({
      code: 'resource_missing',
    });
    expect(await rulesOf(theirs.packet_id)).toEqual(['Ours.']);
  });
});
