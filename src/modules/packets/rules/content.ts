/**
 * The content of a packet (specification "Packet", design "Packet"). Converts a client's input to
 * stored content and assigns ids to new rules and fees.
 */

import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type {
  ArrivalDetailGroup,
  PacketArrivalDetails,
  PacketFee,
  PacketRule,
  ReleasePolicyByArrivalDetailGroup,
} from '../schemas';
import { classifyFee, isFeeType } from './fee-classes';

export const MAX_RULES_PER_PACKET = 200;
export const MAX_FEES_PER_PACKET = 100;

/** A packet's content, without its name, default flag and status. */
export interface PacketContent {
  welcome_message: string | null;
  /** The ISO 4217 currency of all amounts. */
  currency: string;
  rules: PacketRule[];
  fees: PacketFee[];
  safety_notes: string | null;
  arrival_details: PacketArrivalDetails;
  arrival_release: ReleasePolicyByArrivalDetailGroup;
}

export interface PacketRuleInput {
  id?: string | null;
  text: string;
  category?: string | null;
}
export interface PacketFeeInput {
  id?: string | null;
  label: string;
  amount_cents: number;
  unit?: string | null;
  description?: string | null;
  type?: string | null;
}
export interface PacketContentInput {
  welcome_message?: string | null;
  currency?: string;
  rules?: readonly PacketRuleInput[];
  fees?: readonly PacketFeeInput[];
  safety_notes?: string | null;
  arrival_details?: {
    wifi?: { network?: string | null; password?: string | null } | null;
    door_code?: string | null;
    checkin_notes?: string | null;
    parking_notes?: string | null;
  } | null;
  arrival_release?: Partial<
    Record<ArrivalDetailGroup, ReleasePolicyByArrivalDetailGroup[ArrivalDetailGroup] | null>
  > | null;
}

/** Creates an id. Tests pass their own function instead of `newId`. */
export type PacketItemIdFactory = (kind: 'rule' | 'fee') => string;

/** Returns the content of an empty packet. */
export function createEmptyPacketContent(currency = 'USD'): PacketContent {
  return {
    welcome_message: null,
    currency,
    rules: [],
    fees: [],
    safety_notes: null,
    arrival_details: { wifi: null, door_code: null, checkin_notes: null, parking_notes: null },
    arrival_release: {
      wifi: 'before_signing',
      door_code: 'before_signing',
      checkin_notes: 'before_signing',
      parking_notes: 'before_signing',
    },
  };
}

const textOrNull = (text: string | null | undefined): string | null => text?.trim() || null;

/** Throws invalid_field for duplicate ids, because clients identify items by id. */
function assertDistinctIds(items: readonly { id?: string | null }[], param: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (!id) continue;
    if (seen.has(id)) {
      throw new AppError('invalid_field', {
        param: `${param}[${index}].id`,
        message: createRefusal('two_items_have_the_same_id'),
      });
    }
    seen.add(id);
  }
}

/**
 * Returns the rules with ids. Throws too_many_items, missing_required_field, and invalid_field for
 * a duplicate id.
 */
export function normalizePacketRules(input: readonly PacketRuleInput[], newId: PacketItemIdFactory): PacketRule[] {
  if (input.length > MAX_RULES_PER_PACKET) throw new AppError('too_many_items', { param: 'rules' });
  assertDistinctIds(input, 'rules');
  return input.map((rule, index) => {
    const text = rule.text.trim();
    if (text === '') throw new AppError('missing_required_field', { param: `rules[${index}].text` });
    return { id: rule.id || newId('rule'), text, category: textOrNull(rule.category) };
  });
}

/**
 * Returns the fees with ids and types. A missing type is derived from label and description, and is
 * null when no word matches. Throws too_many_items, missing_required_field and invalid_field.
 */
export function normalizePacketFees(input: readonly PacketFeeInput[], newId: PacketItemIdFactory): PacketFee[] {
  if (input.length > MAX_FEES_PER_PACKET) throw new AppError('too_many_items', { param: 'fees' });
  assertDistinctIds(input, 'fees');
  return input.map((fee, index) => {
    const label = fee.label.trim();
    if (label === '') throw new AppError('missing_required_field', { param: `fees[${index}].label` });
    const description = textOrNull(fee.description);
    const type = fee.type ?? classifyFee({ label, description });
    if (type !== null && !isFeeType(type)) throw new AppError('invalid_field', { param: `fees[${index}].type` });
    const { amount_cents } = fee;
    return { id: fee.id || newId('fee'), label, amount_cents, unit: textOrNull(fee.unit), description, type };
  });
}

function normaliseDetails(
  base: PacketArrivalDetails,
  input: NonNullable<PacketContentInput['arrival_details']>,
): PacketArrivalDetails {
  const wifi = () => {
    const network = textOrNull(input.wifi?.network);
    const password = textOrNull(input.wifi?.password);
    return network === null && password === null ? null : { network, password };
  };
  const text = (group: Exclude<ArrivalDetailGroup, 'wifi'>) =>
    input[group] === undefined ? base[group] : textOrNull(input[group]);
  return {
    wifi: input.wifi === undefined ? base.wifi : wifi(),
    door_code: text('door_code'),
    checkin_notes: text('checkin_notes'),
    parking_notes: text('parking_notes'),
  };
}

function normaliseRelease(
  base: ReleasePolicyByArrivalDetailGroup,
  input: NonNullable<PacketContentInput['arrival_release']>,
): ReleasePolicyByArrivalDetailGroup {
  const policy = (group: ArrivalDetailGroup): ReleasePolicyByArrivalDetailGroup[ArrivalDetailGroup] =>
    input[group] === undefined ? base[group] : (input[group] ?? 'before_signing');
  return {
    wifi: policy('wifi'),
    door_code: policy('door_code'),
    checkin_notes: policy('checkin_notes'),
    parking_notes: policy('parking_notes'),
  };
}

/**
 * Returns `base` after an edit. Absent fields keep their value from `base`. Arrays are replaced as
 * a whole. In `arrival_details` and `arrival_release`, only the groups in the input change. For
 * PATCH, `base` is the stored content. For PUT and create it is
 * `createEmptyPacketContent(currency)`. Throws the errors of normalizePacketRules and
 * normalizePacketFees.
 */
export function editPacketContent(
  base: PacketContent,
  input: PacketContentInput,
  newId: PacketItemIdFactory,
): PacketContent {
  const empty = createEmptyPacketContent();
  const details = input.arrival_details;
  const release = input.arrival_release;
  return {
    welcome_message: input.welcome_message === undefined ? base.welcome_message : textOrNull(input.welcome_message),
    currency: input.currency ?? base.currency,
    rules: input.rules === undefined ? base.rules : normalizePacketRules(input.rules, newId),
    fees: input.fees === undefined ? base.fees : normalizePacketFees(input.fees, newId),
    safety_notes: input.safety_notes === undefined ? base.safety_notes : textOrNull(input.safety_notes),
    arrival_details: details === null ? empty.arrival_details : normaliseDetails(base.arrival_details, details ?? {}),
    arrival_release: release === null ? empty.arrival_release : normaliseRelease(base.arrival_release, release ?? {}),
  };
}

/**
 * Returns whether two contents are equal. Ignores the order of keys, which jsonb does not preserve.
 */
export function isSamePacketContent(a: PacketContent, b: PacketContent): boolean {
  return sameValue(a, b);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  return left.every(([key, value]) => Object.hasOwn(b, key) && sameValue(value, (b as Record<string, unknown>)[key]));
}
