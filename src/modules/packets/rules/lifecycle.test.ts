import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '@/shared/errors';
import type { PacketLifecycleChangeOrRefusal, PacketLifecycleContext, PacketLifecycleFields } from './lifecycle';
import * as lifecycle from './lifecycle';

const NOW = new Date('2026-06-01T12:00:00Z');
const plain: PacketLifecycleFields = { status: 'active', is_default: false };
const byDefault: PacketLifecycleFields = { status: 'active', is_default: true };
const archived: PacketLifecycleFields = { status: 'archived', is_default: false };
const context = (different: Partial<PacketLifecycleContext> = {}): PacketLifecycleContext => ({
  active_packets: 2,
  referenced: false,
  packet_limit: 5,
  ...different,
});
const outcome = (decision: PacketLifecycleChangeOrRefusal) =>
  decision.kind === 'refused' ? decision.code : decision.kind;

describe('a packet transition', () => {
  test.each([
    ['archive', plain, {}, 'change'],
    ['archive', plain, { referenced: true }, 'change'],
    ['archive', byDefault, {}, 'default_packet'],
    ['archive', byDefault, { active_packets: 1 }, 'last_packet'],
    ['archive', archived, {}, 'unchanged'],
    ['restore', archived, {}, 'change'],
    ['restore', archived, { active_packets: 5 }, 'packet_limit_reached'],
    ['restore', archived, { active_packets: 5, packet_limit: 6 }, 'change'],
    ['restore', plain, { active_packets: 5 }, 'unchanged'],
    ['setDefault', plain, {}, 'change'],
    ['setDefault', byDefault, {}, 'unchanged'],
    ['setDefault', archived, {}, 'packet_archived'],
    ['edit', plain, {}, 'change'],
    ['edit', archived, {}, 'packet_archived'],
    ['remove', plain, {}, 'change'],
    ['remove', archived, {}, 'change'],
    ['remove', archived, { active_packets: 1 }, 'change'],
    ['remove', archived, { referenced: true }, 'packet_in_use'],
    ['remove', plain, { referenced: true }, 'packet_in_use'],
    ['remove', byDefault, {}, 'default_packet'],
    ['remove', byDefault, { active_packets: 1 }, 'last_packet'],
    // If several refusals apply, packet_in_use comes before last_packet, which comes before
    // default_packet.
    ['remove', byDefault, { referenced: true }, 'packet_in_use'],
    ['remove', byDefault, { referenced: true, active_packets: 1 }, 'packet_in_use'],
  ] as const)('%s of %o in %o: %s', (verb, packet, different, expected) => {
    const decisions = {
      archive: () => lifecycle.decidePacketArchival(packet, context(different), NOW),
      restore: () => lifecycle.decidePacketRestoration(packet, context(different)),
      setDefault: () => lifecycle.decideDefaultPacketChange(packet),
      edit: () => lifecycle.decidePacketEdit(packet),
      remove: () => lifecycle.decidePacketDeletion(packet, context(different)),
    };
    expect(outcome(decisions[verb]())).toBe(expected);
  });

  test('sets its columns', () => {
    expect(lifecycle.decidePacketArchival(plain, context(), NOW)).toEqual({
      kind: 'change',
      changes: { status: 'archived', archived_at: NOW },
      demotes_default: false,
    });
    expect(lifecycle.decidePacketRestoration(archived, context())).toEqual({
      kind: 'change',
      changes: { status: 'active', archived_at: null },
      demotes_default: false,
    });
    expect(lifecycle.decideDefaultPacketChange(plain)).toEqual({
      kind: 'change',
      changes: { is_default: true },
      demotes_default: true,
    });
  });
});

test('a refused decision becomes an AppError', () => {
  expect(() => lifecycle.throwIfPacketChangeRefused(lifecycle.decidePacketEdit(archived))).toThrow(AppError);
  expect(lifecycle.throwIfPacketChangeRefused(lifecycle.decidePacketRestoration(plain, context()))).toEqual({
    kind: 'unchanged',
  });
});

test('a page receives the allowed actions, and the reasons against the others', () => {
  expect(lifecycle.getAllowedPacketActions(byDefault, context(), NOW)).toEqual({
    edit: { allowed: true },
    archive: { allowed: false, code: 'default_packet' },
    restore: { allowed: false, code: null },
    set_default: { allowed: false, code: null },
    delete: { allowed: false, code: 'default_packet' },
  });
});

test('after any sequence of changes exactly one packet is the default, and it is active', () => {
  const step = fc.record({
    verb: fc.constantFrom('create', 'archive', 'restore', 'setDefault', 'remove'),
    target: fc.nat(7),
    referenced: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let packets: PacketLifecycleFields[] = [{ ...byDefault }];
      for (const { verb, target, referenced } of steps) {
        const index = target % packets.length;
        const packet = packets[index]!;
        const surroundings = context({
          active_packets: packets.filter((one) => one.status === 'active').length,
          referenced,
        });
        // The service, not lifecycle.ts, limits the number of active packets when a packet is
        // created.
        if (verb === 'create' && surroundings.active_packets >= surroundings.packet_limit) continue;
        const decision = {
          create: () => ({ kind: 'change', changes: {}, demotes_default: false }) as lifecycle.PacketLifecycleChange,
          archive: () => lifecycle.decidePacketArchival(packet, surroundings, NOW),
          restore: () => lifecycle.decidePacketRestoration(packet, surroundings),
          setDefault: () => lifecycle.decideDefaultPacketChange(packet),
          remove: () => lifecycle.decidePacketDeletion(packet, surroundings),
        }[verb as 'create']();
        if (decision.kind !== 'change') continue;
        if (verb === 'create') packets.push({ ...plain });
        else if (verb === 'remove') packets = packets.filter((_, i) => i !== index);
        else {
          const { status = packet.status, is_default = packet.is_default } = decision.changes;
          if (decision.demotes_default) packets = packets.map((one) => ({ ...one, is_default: false }));
          packets[index] = { status, is_default };
        }
        const defaults = packets.filter((one) => one.is_default);
        expect(defaults).toEqual([{ status: 'active', is_default: true }]);
        expect(packets.filter((one) => one.status === 'active').length).toBeLessThanOrEqual(5);
      }
    }),
  );
});
