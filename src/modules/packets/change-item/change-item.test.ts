import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { createSystemScope, type Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { archivePacket, createPacket, retrieveDefaultPacket, retrievePacket, updatePacket } from '../service';
import { ChangePacketItemInput, type PacketItemOccurrences } from './change-item.schemas';
import { normalizePacketItemName } from './item.rules';
import { changePacketItem, findPacketItemOccurrences, listPacketItems } from './service';

let scope: Scope;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
});

const late = { kind: 'fee' as const, key: normalizePacketItemName('Late check-out') };

async function insertHouse(owner: Scope, name: string, currency: string, label: string, amount_cents = 5000) {
  const { id } = await createProperty(owner, PropertyCreate.parse({ name }));
  const packet = await retrieveDefaultPacket(owner, id);
  const edit = {
    currency,
    rules: [{ text: 'No smoking.', category: 'Smoking' }],
    fees: [
      { label: 'Cleaning', amount_cents: 8000, unit: null, description: null, type: null },
      { label, amount_cents, unit: 'per hour', description: null, type: null },
    ],
    welcome_message: name,
    arrival_details: { door_code: name },
  };
  await updatePacket(owner, packet.id, edit as never, { if_match: null });
  return { property_id: id, packet_id: packet.id };
}
const targetsOf = ({ data }: PacketItemOccurrences) =>
  data.map(({ packet_id, etag, fees, rules }) => ({
    ...{ packet_id, etag, item_ids: [...fees, ...rules].map(({ id }) => id) },
  }));
const feesOf = async (id: string) =>
  ((await retrievePacket(scope, id)).fees as { label: string; amount_cents: number }[]).map(
    ({ label, amount_cents }) => `${label} ${amount_cents}`,
  );
const countUpdates = () => systemDb().event.count({ where: { type: 'packet.updated' } });

describe('a fee shared by several packets', () => {
  it('is found in every active packet, including variants, with each amount and currency', async () => {
    const one = await insertHouse(scope, 'One', 'EUR', 'Late check-out');
    const two = await insertHouse(scope, 'Two', 'GBP', 'late checkout', 4000);
    await insertHouse(scope, 'Three', 'EUR', 'Dog');
    const winter = await createPacket(scope, one.property_id, { name: 'Winter', copy_from: one.packet_id });
    const old = await createPacket(scope, two.property_id, { name: 'Old', copy_from: two.packet_id });
    await archivePacket(scope, old.id);
    const { data } = await listPacketItems(scope);
    expect(data.map(({ kind, name, packets }) => `${kind} ${name} ${packets}`)).toEqual([
      'fee Cleaning 4',
      'rule No smoking. 4',
      'category Smoking 4',
      'fee Late check-out 3',
      'fee Dog 1',
    ]);
    const places = await findPacketItemOccurrences(scope, late);
    expect(
      places.data.map(({ property_name, packet_name, currency, fees }) => [
        ...[property_name, packet_name, currency, fees[0]?.amount_cents],
      ]),
    ).toEqual([
      ['One', 'House rules', 'EUR', 5000],
      ['One', 'Winter', 'EUR', 5000],
      ['Two', 'House rules', 'GBP', 4000],
    ]);
    expect(places.data.map(({ packet_id }) => packet_id)).toEqual([one.packet_id, winter.id, two.packet_id]);
  });

  it('is changed only in the chosen packets, with history and event, and nothing else changes', async () => {
    const one = await insertHouse(scope, 'One', 'EUR', 'Late check-out');
    const two = await insertHouse(scope, 'Two', 'GBP', 'late checkout', 4000);
    const left = await insertHouse(scope, 'Three', 'EUR', 'Late check-out');
    const before = { ...(await retrievePacket(scope, one.packet_id)), fees: null, version: 0, updated_at: null };
    const places = await findPacketItemOccurrences(scope, late);
    const targets = targetsOf(places).filter(({ packet_id }) => packet_id !== left.packet_id);
    const input = ChangePacketItemInput.parse({
      targets,
      change: { fee: { label: 'Late departure', amounts: { EUR: 6000, GBP: 5500 } } },
    });
    const events = await countUpdates();
    const revisions = await systemDb().packetRevision.count({ where: { packet_id: one.packet_id } });
    expect((await changePacketItem(scope, input)).rows.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    // Repeats the call, as a client does after a lost response.
    expect((await changePacketItem(scope, input)).rows.map(({ outcome }) => outcome)).toEqual(['nothing', 'nothing']);
    expect(await feesOf(one.packet_id)).toEqual(['Cleaning 8000', 'Late departure 6000']);
    expect(await feesOf(two.packet_id)).toEqual(['Cleaning 8000', 'Late departure 5500']);
    expect(await feesOf(left.packet_id)).toEqual(['Cleaning 8000', 'Late check-out 5000']);
    expect(await countUpdates()).toBe(events + 2);
    expect(await systemDb().packetRevision.count({ where: { packet_id: one.packet_id } })).toBe(revisions + 1);
    const after = { ...(await retrievePacket(scope, one.packet_id)), fees: null, version: 0, updated_at: null };
    expect(after).toEqual(before);
  });

  it('is skipped in packets edited after the host saw them, and changed in the others', async () => {
    const one = await insertHouse(scope, 'One', 'EUR', 'Late check-out');
    const two = await insertHouse(scope, 'Two', 'EUR', 'Late check-out');
    const targets = targetsOf(await findPacketItemOccurrences(scope, late));
    await updatePacket(scope, one.packet_id, { welcome_message: 'Theirs' } as never, { if_match: null });
    const { rows } = await changePacketItem(scope, { targets, change: { fee: { amounts: { EUR: 1 } } } });
    expect(rows.map(({ packet_id, outcome }) => [packet_id, outcome])).toEqual([
      [one.packet_id, 'refused'],
      [two.packet_id, 'done'],
    ]);
    expect(String(rows[0]?.message)).toContain('changed in the meantime');
    expect(await feesOf(one.packet_id)).toEqual(['Cleaning 8000', 'Late check-out 5000']);
  });

  it('cannot be changed to unknown short codes, or without any change', async () => {
    await insertHouse(scope, 'One', 'EUR', 'Late check-out');
    const targets = targetsOf(await findPacketItemOccurrences(scope, late));
    const { rows } = await changePacketItem(scope, { targets, change: { fee: { description: '{{gest_name}}' } } });
    expect(rows).toMatchObject([{ outcome: 'refused' }]);
    for (const change of [{}, { fee: {} }, { fee: { amounts: { euro: 1 } } }, { fee: { amounts: { EUR: -1 } } }])
      expect(ChangePacketItemInput.safeParse({ targets, change }).success).toBe(false);
  });

  it('is not found in packets of other teams or of the other mode', async () => {
    const other = await insertTeam('live', 'other@example.com');
    await insertHouse(other, 'Theirs', 'EUR', 'Late check-out');
    const test = createSystemScope(scope.team_id, 'test', 'test');
    const own = await insertHouse(test, 'Test', 'EUR', 'Late check-out');
    expect((await findPacketItemOccurrences(scope, late)).data).toEqual([]);
    expect((await listPacketItems(scope)).data).toEqual([]);
    const targets = [
      ...targetsOf(await findPacketItemOccurrences(other, late)),
      ...targetsOf(await findPacketItemOccurrences(test, late)),
    ];
    expect(targets).toHaveLength(2);
    const { rows } = await changePacketItem(scope, { targets, change: { fee: { amounts: { EUR: 1 } } } });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    const fees = (await retrievePacket(test, own.packet_id)).fees as { amount_cents: number }[];
    expect(fees[1]?.amount_cents).toBe(5000);
  });
});

it('rules are changed by their text, or all together by their heading', async () => {
  const one = await insertHouse(scope, 'One', 'EUR', 'Dog');
  const two = await insertHouse(scope, 'Two', 'EUR', 'Dog');
  const rules = [{ text: 'Smoke outside.', category: 'smoking' }];
  await updatePacket(scope, two.packet_id, { rules } as never, { if_match: null });
  const places = await findPacketItemOccurrences(scope, { kind: 'category', key: normalizePacketItemName('Smoking') });
  expect(places.data.map(({ rules: found }) => found[0]?.text)).toEqual(['No smoking.', 'Smoke outside.']);
  await changePacketItem(scope, { targets: targetsOf(places), change: { rule: { text: 'No smoking at all.' } } });
  for (const { packet_id } of [one, two])
    expect((await retrievePacket(scope, packet_id)).rules).toMatchObject([{ text: 'No smoking at all.' }]);
});
