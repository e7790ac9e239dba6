import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import type { PacketContainingGivenFeeOrRule } from '../../types';
import {
  buildPacketItemFormRows,
  filterFormRowsAffectedByChange,
  groupPacketItemRowsByPacket,
  listPacketItemFields,
  parsePacketItemChange,
} from './item-change';

const t = createEnglishTranslator('packets');
const place = (
  packet_id: string,
  currency: string,
  amount_cents: number,
  label = 'Late check-out',
): PacketContainingGivenFeeOrRule => ({
  ...{ packet_id, etag: `"${packet_id}"`, packet_name: 'House rules', is_default: true, currency },
  ...{ property_id: `prop_${packet_id}`, property_name: packet_id, rules: [] },
  fees: [{ id: `fee_${packet_id}`, label, amount_cents, unit: 'per hour', description: null, type: null }],
});
const items = buildPacketItemFormRows([place('1', 'EUR', 5000), place('2', 'EUR', 4050), place('3', 'JPY', 900)]);

it('a fee has an amount field per currency, prefilled if all rows have the same value', () => {
  expect(listPacketItemFields(items)).toEqual([
    { name: 'label', shared: 'Late check-out' },
    { name: 'amount_EUR', shared: null, currency: 'EUR' },
    { name: 'amount_JPY', shared: '900', currency: 'JPY' },
    { name: 'unit', shared: 'per hour' },
    { name: 'description', shared: '' },
  ]);
});

it('a rule has fields for its text and heading', () => {
  const rules = [{ id: 'rule_1', text: 'Quiet.', category: null }];
  expect(listPacketItemFields(buildPacketItemFormRows([{ ...place('1', 'EUR', 1), fees: [], rules }]))).toEqual([
    { name: 'text', shared: 'Quiet.' },
    { name: 'category', shared: '' },
  ]);
});

describe('the change from typed values', () => {
  it.each([
    [{}, null],
    [{ amount_EUR: '' }, null],
    [{ label: ' Late check-out ' }, null],
    [{ amount_EUR: '60,50' }, { fee: { amounts: { EUR: 6050 } } }],
    [{ amount_JPY: '1000', unit: '' }, { fee: { amounts: { JPY: 1000 }, unit: null } }],
    [
      { label: 'Late departure', description: 'After 11:00.' },
      { fee: { label: 'Late departure', description: 'After 11:00.' } },
    ],
  ])('for %j is %j', (typed, change) => {
    expect(parsePacketItemChange(listPacketItemFields(items), typed, t)).toEqual({ change, errors: {} });
  });

  it.each([
    [{ amount_JPY: '9.5' }, { amount_JPY: 'Enter an amount like 50 or 12.50.' }],
    [{ amount_JPY: '' }, { amount_JPY: 'Enter an amount like 50 or 12.50.' }],
    [{ label: ' ' }, { label: 'Enter a name.' }],
    [{ description: '{{gest_name}}' }, { description: '{{gest_name}} is not a short code.' }],
  ])('for %j has the error %j', (typed, errors) => {
    expect(parsePacketItemChange(listPacketItemFields(items), typed, t)).toEqual({ change: null, errors });
  });

  it('affects only rows whose value differs', () => {
    const packets = (change: Parameters<typeof filterFormRowsAffectedByChange>[1]) =>
      filterFormRowsAffectedByChange(items, change).map(({ place: { packet_id } }) => packet_id);
    expect(packets({ fee: { amounts: { EUR: 5000 } } })).toEqual(['2']);
    expect(packets({ fee: { amounts: { JPY: 1000 } } })).toEqual(['3']);
    expect(packets({ fee: { label: 'Late departure' } })).toEqual(['1', '2', '3']);
    expect(packets({ rule: { text: 'Quiet.' } })).toEqual([]);
  });

  it('targets each packet once, with its ETag', () => {
    const both = buildPacketItemFormRows([
      { ...place('1', 'EUR', 1), rules: [{ id: 'rule_1', text: 'Quiet.', category: null }] },
    ]);
    expect(groupPacketItemRowsByPacket(both)).toEqual([{ packet_id: '1', etag: '"1"', item_ids: ['fee_1', 'rule_1'] }]);
  });
});
