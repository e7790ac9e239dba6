/** Summarizes a change to a packet in a few lines for the history. Pure. */
import { isFeeType } from '@/modules/packets/rules/fee-classes';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { PacketContentFields } from '../editor/draft';
import { formatDisplayAmount } from '../editor/money-input';
import { ARRIVAL_FIELD_GROUPS } from '../labels';

export interface RevisionChangeLine {
  /** The name of the changed part: `Rule`, `Welcome message`. */
  what: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
  before?: string;
  after?: string;
}

interface Item {
  id: string;
}

function itemLines<T extends Item>(
  [what, all]: [one: string, all: string],
  before: T[],
  after: T[],
  textOf: (item: T) => string,
  oldTextOf = textOf,
): RevisionChangeLine[] {
  const old = new Map(before.map((item) => [item.id, oldTextOf(item)]));
  const now = new Map(after.map((item) => [item.id, textOf(item)]));
  const lines: RevisionChangeLine[] = [];
  for (const [id, text] of now) {
    const was = old.get(id);
    if (was === undefined) lines.push({ what, kind: 'added', after: text });
    else if (was !== text) lines.push({ what, kind: 'changed', before: was, after: text });
  }
  for (const [id, text] of old) if (!now.has(id)) lines.push({ what, kind: 'removed', before: text });
  const kept = (items: T[], others: Map<string, string>) => items.map(({ id }) => id).filter((id) => others.has(id));
  if (kept(before, now).join(' ') !== kept(after, old).join(' ')) lines.push({ what: all, kind: 'moved' });
  return lines;
}

function textLine(what: string, before: string | null, after: string | null): RevisionChangeLine[] {
  if (before === after) return [];
  if (before === null) return [{ what, kind: 'added', after: after ?? '' }];
  if (after === null) return [{ what, kind: 'removed', before }];
  return [{ what, kind: 'changed', before, after }];
}

/** The functions that translate the names of the packet's parts, and the locale for money. */
export interface RevisionDiffTranslators {
  t: NamespaceTranslator<'packets'>;
  terms: NamespaceTranslator<'terms'>;
  /** The locale for money, a BCP 47 tag. */
  formats: string;
}

/** Returns the lines of one change. The list is empty when nothing visible differs. */
export function describeRevisionChanges(
  before: PacketContentFields,
  after: PacketContentFields,
  { t, terms, formats }: RevisionDiffTranslators,
): RevisionChangeLine[] {
  const ruleText = (rule: PacketContentFields['rules'][number]) =>
    rule.category ? `${rule.category}: ${rule.text}` : rule.text;
  const feeText = (currency: string) => (fee: PacketContentFields['fees'][number]) =>
    [
      `${fee.label}, ${formatDisplayAmount(fee.amount_cents, currency, formats)}`,
      fee.unit,
      fee.description && `(${fee.description})`,
      isFeeType(fee.type) && `· ${t(`fee_${fee.type}`)}`,
    ]
      .filter(Boolean)
      .join(' ');
  const wifi = ({ arrival_details: { wifi } }: PacketContentFields) =>
    wifi && [wifi.network, wifi.password].filter(Boolean).join(' / ');
  return [
    ...textLine(t('name'), before.name, after.name),
    ...textLine(t('welcome_message'), before.welcome_message, after.welcome_message),
    ...itemLines([t('rule'), t('rules')], before.rules, after.rules, ruleText),
    ...textLine(t('currency'), before.currency, after.currency),
    ...itemLines([t('fee'), t('fees')], before.fees, after.fees, feeText(after.currency), feeText(before.currency)),
    ...ARRIVAL_FIELD_GROUPS.flatMap((group) => [
      ...textLine(
        terms(`arrival_${group}`),
        group === 'wifi' ? wifi(before) : before.arrival_details[group],
        group === 'wifi' ? wifi(after) : after.arrival_details[group],
      ),
      ...textLine(
        t('group_shown', { group: terms(`arrival_${group}`) }),
        t(`release_${before.arrival_release[group]}`),
        t(`release_${after.arrival_release[group]}`),
      ),
    ]),
    ...textLine(t('safety_notes'), before.safety_notes, after.safety_notes),
  ];
}
