import { describe, expect, test } from 'vitest';
import {
  assertCanAddPacket,
  assertCanCreateProperty,
  assertCanMailPackets,
  getPricePlanLimits,
  type TeamPricePlanColumns,
} from './plans.rules';

const pro: TeamPricePlanColumns = { plan: 'pro', property_limit: null, packet_limit: null };
const free: TeamPricePlanColumns = { ...pro, plan: 'free' };
const raised: TeamPricePlanColumns = { plan: 'pro', property_limit: 40, packet_limit: 8 };
const refusal = (code: string, more = {}) => expect.objectContaining({ name: 'AppError', code, ...more });

test('pro allows 25 properties and 5 packets, add-ons raise both, and free allows one live property', () => {
  const without_mail_limit = { mails_a_day: null };
  for (const mode of ['live', 'test'] as const) {
    expect(getPricePlanLimits(pro, mode)).toEqual({ properties: 25, active_packets: 5, ...without_mail_limit });
    expect(getPricePlanLimits(raised, mode)).toEqual({ properties: 40, active_packets: 8, ...without_mail_limit });
  }
  for (const team of [free, { ...raised, plan: 'free' }, { ...raised, plan: 'gold' }]) {
    expect(getPricePlanLimits(team, 'live')).toEqual({ properties: 1, active_packets: 5, mails_a_day: 30 });
    expect(getPricePlanLimits(team, 'test')).toEqual({ properties: 25, active_packets: 5, ...without_mail_limit });
  }
});

const CHECKS = { property: assertCanCreateProperty, packet: assertCanAddPacket, mail: assertCanMailPackets };

describe('the limit is the last number allowed', () => {
  test.each([
    ['property', pro, 'live', 24, null],
    ['property', pro, 'live', 25, 'property_limit_reached'],
    ['property', raised, 'test', 39, null],
    ['property', raised, 'test', 40, 'property_limit_reached'],
    ['property', free, 'live', 0, null],
    ['property', free, 'live', 1, 'plan_required'],
    ['property', free, 'live', 25, 'plan_required'],
    ['property', free, 'test', 24, null],
    ['property', free, 'test', 25, 'property_limit_reached'],
    ['packet', pro, 'live', 4, null],
    ['packet', pro, 'live', 5, 'packet_limit_reached'],
    ['packet', raised, 'live', 7, null],
    ['packet', raised, 'live', 8, 'packet_limit_reached'],
    ['packet', free, 'live', 4, null],
    ['packet', free, 'live', 5, 'packet_limit_reached'],
    ['mail', free, 'live', 29, null],
    ['mail', free, 'live', 30, 'rate_limit_exceeded'],
    ['mail', free, 'test', 30_000, null],
    ['mail', pro, 'live', 30_000, null],
  ] as const)('adding a %s on %o in %s mode with %d existing: %s', (kind, team, mode, count, code) => {
    const check = () => CHECKS[kind](team, mode, count);
    if (code === null) expect(check).not.toThrow();
    else expect(check).toThrow(refusal(code));
  });
});

test('a refusal states the plan’s limit, and for mails when to retry', () => {
  const says = (text: string) => ({ message: expect.stringContaining(text) });
  expect(() => assertCanCreateProperty(free, 'live', 1)).toThrow(refusal('plan_required', says('one live property')));
  expect(() => assertCanCreateProperty(raised, 'live', 40)).toThrow(refusal('property_limit_reached', says('40')));
  expect(() => assertCanAddPacket(raised, 'live', 8)).toThrow(refusal('packet_limit_reached', says('8 active')));
  const later = { ...says('house rules to 30 guests'), retryAfter: 3_600 };
  expect(() => assertCanMailPackets(free, 'live', 30)).toThrow(refusal('rate_limit_exceeded', later));
});
