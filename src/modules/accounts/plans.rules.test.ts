import { describe, expect, test } from 'vitest';
import { assertCanAddPacket, assertCanCreateProperty, assertPro, planLimits, type TeamPlan } from './plans.rules';

const pro: TeamPlan = { plan: 'pro', property_limit: null, packet_limit: null };
const free: TeamPlan = { ...pro, plan: 'free' };
const raised: TeamPlan = { plan: 'pro', property_limit: 40, packet_limit: 8 };
const refusal = (code: string) => expect.objectContaining({ name: 'AppError', code });

test('pro allows 25 properties and 5 active packets, an add-on more, free nothing', () => {
  expect(planLimits(pro)).toEqual({ properties: 25, active_packets: 5 });
  expect(planLimits(raised)).toEqual({ properties: 40, active_packets: 8 });
  expect(planLimits(free)).toBeNull();
  expect(planLimits({ ...raised, plan: 'free' })).toBeNull();
});

describe('the cap is the last number that is allowed', () => {
  test.each([
    ['property', pro, 24, null],
    ['property', pro, 25, 'property_limit_reached'],
    ['property', raised, 39, null],
    ['property', raised, 40, 'property_limit_reached'],
    ['property', free, 0, 'plan_required'],
    ['packet', pro, 4, null],
    ['packet', pro, 5, 'packet_limit_reached'],
    ['packet', raised, 7, null],
    ['packet', raised, 8, 'packet_limit_reached'],
    ['packet', free, 0, 'plan_required'],
  ] as const)('a %s more on %o with %d: %s', (kind, team, count, code) => {
    const check = () => (kind === 'property' ? assertCanCreateProperty(team, count) : assertCanAddPacket(team, count));
    if (code === null) expect(check).not.toThrow();
    else expect(check).toThrow(refusal(code));
  });
});

test('an operation that lists 402 needs the pro plan', () => {
  expect(assertPro(pro)).toEqual({ properties: 25, active_packets: 5 });
  expect(() => assertPro(free)).toThrow(refusal('plan_required'));
});
