/**
 * The draft of a packet in the editor, and its conversion to the content that is saved. Pure. The
 * API's own schema validates the draft (draft-schema.ts). An error's key contains the item's id
 * (`rules.<id>.text`), so that the error stays with an item that moves.
 */

import { classifyFee, isFeeType } from '@/modules/packets/rules/fee-classes';
import type { ArrivalDetailGroup, Packet, PacketContent } from '@/modules/packets/schemas';
import { findUnknownShortCodes } from '@/shared/guest-text/short-codes';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { formatMoneyAmountForInput, parseMoneyAmount } from './money-input';

export interface PacketDraftRule {
  id: string;
  text: string;
  category: string;
}

export interface PacketDraftFee {
  id: string;
  label: string;
  /** The typed text, in the currency's main unit. */
  amount: string;
  unit: string;
  description: string;
  /** Null when the server derives the type from the text. */
  type: string | null;
}

export interface PacketDraft {
  name: string;
  welcome_message: string;
  safety_notes: string;
  currency: string;
  rules: PacketDraftRule[];
  fees: PacketDraftFee[];
  wifi_network: string;
  wifi_password: string;
  door_code: string;
  checkin_notes: string;
  parking_notes: string;
  arrival_release: Packet['arrival_release'];
}

export type PacketDraftContent = Required<PacketContent>;
export type PacketDraftErrors = Record<string, string>;

/** The content of a packet or of a revision. */
export type PacketContentFields = Pick<
  Packet,
  'name' | 'welcome_message' | 'safety_notes' | 'currency' | 'rules' | 'fees' | 'arrival_details' | 'arrival_release'
>;

export function createPacketDraft(packet: PacketContentFields): PacketDraft {
  const { arrival_details: details, currency } = packet;
  return {
    name: packet.name,
    welcome_message: packet.welcome_message ?? '',
    safety_notes: packet.safety_notes ?? '',
    currency,
    rules: packet.rules.map((rule) => ({ ...rule, category: rule.category ?? '' })),
    fees: packet.fees.map(({ amount_cents, ...fee }) => ({
      id: fee.id,
      label: fee.label,
      amount: formatMoneyAmountForInput(amount_cents, currency),
      unit: fee.unit ?? '',
      description: fee.description ?? '',
      type: fee.type,
    })),
    wifi_network: details.wifi?.network ?? '',
    wifi_password: details.wifi?.password ?? '',
    door_code: details.door_code ?? '',
    checkin_notes: details.checkin_notes ?? '',
    parking_notes: details.parking_notes ?? '',
    arrival_release: { ...packet.arrival_release },
  };
}

const orNull = (text: string): string | null => text.trim() || null;

const isBlankFee = (fee: PacketDraftFee) => !fee.label.trim() && !fee.amount.trim() && !fee.description.trim();

/** The functions that translate error messages. */
export interface PacketDraftErrorTranslators {
  own: NamespaceTranslator<'packets'>;
  ui: NamespaceTranslator<'ui'>;
}

/** Validates the content with the API's schema, and adds the problems to `errors`. */
export type PacketContentSchemaValidator = (
  content: PacketDraftContent,
  errors: PacketDraftErrors,
  words: PacketDraftErrorTranslators,
) => void;

/**
 * Converts the draft to the content to save, with its errors. Without `check`, reports only the
 * errors that need no schema. Omits new rules and fees that are still empty.
 */
export function convertDraftToPacketContent(
  draft: PacketDraft,
  words: PacketDraftErrorTranslators,
  check?: PacketContentSchemaValidator | null,
): { content: PacketDraftContent; errors: PacketDraftErrors } {
  const errors: PacketDraftErrors = {};
  const fees = draft.fees.filter((fee) => !isBlankFee(fee));
  const network = orNull(draft.wifi_network);
  const password = orNull(draft.wifi_password);
  const content: PacketDraftContent = {
    name: draft.name.trim(),
    welcome_message: orNull(draft.welcome_message),
    safety_notes: orNull(draft.safety_notes),
    currency: draft.currency.trim().toUpperCase(),
    rules: draft.rules
      .filter((rule) => rule.text.trim())
      .map(({ id, text, category }) => ({ id, text: text.trim(), category: orNull(category) })),
    fees: fees.map((fee) => {
      const amount_cents = parseMoneyAmount(fee.amount, draft.currency);
      if (amount_cents === null) errors[`fees.${fee.id}.amount`] = words.own('enter_an_amount');
      return {
        id: fee.id,
        label: fee.label.trim(),
        amount_cents: amount_cents ?? 0,
        unit: orNull(fee.unit),
        description: orNull(fee.description),
        type: isFeeType(fee.type) ? fee.type : null,
      };
    }),
    arrival_details: {
      wifi: network === null && password === null ? null : { network, password },
      door_code: orNull(draft.door_code),
      checkin_notes: orNull(draft.checkin_notes),
      parking_notes: orNull(draft.parking_notes),
    },
    arrival_release: draft.arrival_release,
  };
  check?.(content, errors, words);
  collectUnknownCodes(content, errors, words);
  return { content, errors };
}

/** Returns every text that may contain short codes, with its error key. */
function textsOf(content: PacketDraftContent): [string, string | null | undefined][] {
  const details = content.arrival_details;
  return [
    ['welcome_message', content.welcome_message],
    ['safety_notes', content.safety_notes],
    ...content.rules.map((rule): [string, string] => [`rules.${rule.id}.text`, rule.text]),
    ...content.fees.flatMap((fee): [string, string | null | undefined][] => [
      [`fees.${fee.id}.label`, fee.label],
      [`fees.${fee.id}.description`, fee.description],
    ]),
    ['arrival_details.door_code', details.door_code],
    ['arrival_details.checkin_notes', details.checkin_notes],
    ['arrival_details.parking_notes', details.parking_notes],
  ];
}

function collectUnknownCodes(
  content: PacketDraftContent,
  errors: PacketDraftErrors,
  { own }: PacketDraftErrorTranslators,
): void {
  for (const [key, text] of textsOf(content)) {
    const unknown = findUnknownShortCodes(text ?? '')[0];
    if (unknown !== undefined) errors[key] ??= own('not_a_short_code', { code: `{{${unknown}}}` });
  }
}

const FIELDS = [
  'name',
  'welcome_message',
  'safety_notes',
  'currency',
  'rules',
  'fees',
  'arrival_details',
  'arrival_release',
] as const satisfies readonly (keyof PacketDraftContent)[];

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the valid fields that differ from `base`. An invalid fee does not prevent saving the
 * rules.
 */
export function findUnsavedPacketChanges(
  content: PacketDraftContent,
  base: PacketDraftContent,
  errors: PacketDraftErrors,
): PacketContent {
  const wrong = new Set(Object.keys(errors).map((key) => key.split('.')[0]));
  // Amounts depend on the currency, so an invalid currency prevents saving the fees, and an invalid
  // fee prevents saving the currency.
  if (wrong.has('currency')) wrong.add('fees');
  if (wrong.has('fees')) wrong.add('currency');
  return Object.fromEntries(
    FIELDS.filter((field) => !wrong.has(field) && !same(content[field], base[field])).map((field) => [
      field,
      content[field],
    ]),
  );
}

/** Returns whether two contents are equal. Derives the types of fees first, as the server does. */
export function isSamePacketDraftContent(a: PacketDraftContent, b: PacketDraftContent): boolean {
  const classified = ({ fees, ...rest }: PacketDraftContent) => ({
    ...rest,
    fees: fees.map((fee) => ({
      ...fee,
      type: fee.type ?? classifyFee({ label: fee.label, description: fee.description }),
    })),
  });
  return FIELDS.every((field) => same(classified(a)[field], classified(b)[field]));
}

/** Returns whether any field of the group is filled in. */
export function hasFilledArrivalField(draft: PacketDraft, group: ArrivalDetailGroup): boolean {
  if (group === 'wifi') return Boolean(draft.wifi_network.trim() || draft.wifi_password.trim());
  return draft[group].trim() !== '';
}

/** Returns the list with one item moved. */
export function moveListItem<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}
