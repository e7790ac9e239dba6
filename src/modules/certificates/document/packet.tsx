/** What was acknowledged: the whole packet as the guest was shown it. */
import { View } from '@react-pdf/renderer';
import { Fragment } from 'react';
import { ARRIVAL_GROUPS, type SnapshotFee, type SnapshotRule } from '@/modules/snapshot/snapshot';
import type { DocumentContext } from './cover';
import { formatMoney, languageName, usableLocale } from './format';
import { fill, type Messages } from './messages';
import { styles } from './styles';
import { Block, Copy, Prose } from './text';

export function AcknowledgedPacket({ context }: { context: DocumentContext }) {
  const { input, words, locale, brand } = context;
  const { packet } = input.snapshot;
  const shown_in = languageName(usableLocale(input.snapshot.locale));
  return (
    <>
      <View style={styles.sectionStart} minPresenceAhead={160}>
        <Copy style={styles.sectionTitle}>{words.acknowledged_section}</Copy>
      </View>
      <Copy style={styles.sectionIntro}>
        {fill(words.acknowledged_intro, { packet: packet.name, language: shown_in })}
      </Copy>
      {packet.welcome_message && (
        <Block title={words.welcome}>
          <Prose color={brand}>{packet.welcome_message}</Prose>
        </Block>
      )}
      <Block title={words.rules}>
        <Rules rules={packet.rules} words={words} />
      </Block>
      <Block title={words.fees}>
        <Fees fees={packet.fees} currency={packet.currency} locale={locale} words={words} />
      </Block>
      {packet.safety_notes && (
        <Block title={words.safety}>
          <Prose color={brand}>{packet.safety_notes}</Prose>
        </Block>
      )}
      <ArrivalGroups context={context} />
    </>
  );
}

/** Rules by category in the order in which categories first occur, numbered through. */
export function groupRules(rules: readonly SnapshotRule[]): { category: string | null; rules: SnapshotRule[] }[] {
  const groups = new Map<string | null, SnapshotRule[]>();
  for (const rule of rules) {
    const category = rule.category?.trim() || null;
    groups.set(category, [...(groups.get(category) ?? []), rule]);
  }
  return [...groups].map(([category, members]) => ({ category, rules: members }));
}

function Rules({ rules, words }: { rules: readonly SnapshotRule[]; words: Messages }) {
  if (rules.length === 0) return <Copy style={styles.muted}>{words.no_rules}</Copy>;
  const groups = groupRules(rules);
  const only_uncategorised = groups.length === 1 && groups[0]?.category === null;
  let number = 0;
  return groups.map((group) => (
    <Fragment key={group.category ?? ''}>
      {!only_uncategorised && (
        <View minPresenceAhead={30}>
          <Copy style={styles.subheading}>{group.category ?? words.rules_uncategorised}</Copy>
        </View>
      )}
      {group.rules.map((rule) => {
        number += 1;
        return (
          <View key={rule.id} style={styles.row} wrap={false}>
            <Copy style={styles.number}>{`${number}.`}</Copy>
            <View style={styles.grow}>
              <Copy>{rule.text}</Copy>
            </View>
          </View>
        );
      })}
    </Fragment>
  ));
}

type FeeClass = 'mandatory' | 'conditional' | 'other';

const feeClass = (fee: SnapshotFee): FeeClass => {
  if (fee.type?.startsWith('mandatory_')) return 'mandatory';
  return fee.type?.startsWith('conditional_') ? 'conditional' : 'other';
};

function Fees(props: { fees: readonly SnapshotFee[]; currency: string; locale: string; words: Messages }) {
  const { fees, currency, locale, words } = props;
  if (fees.length === 0) return <Copy style={styles.muted}>{words.no_fees}</Copy>;
  const titles = { mandatory: words.fees_mandatory, conditional: words.fees_conditional, other: words.fees_other };
  return (['mandatory', 'conditional', 'other'] as const).map((kind) => {
    const members = fees.filter((fee) => feeClass(fee) === kind);
    if (members.length === 0) return null;
    return (
      <Fragment key={kind}>
        <View minPresenceAhead={30}>
          <Copy style={styles.subheading}>{titles[kind]}</Copy>
        </View>
        {members.map((fee) => (
          <View key={fee.id} style={styles.ruledRow} wrap={false}>
            <View style={styles.grow}>
              <Copy style={styles.strong} column="half">
                {fee.label}
              </Copy>
              {fee.description && <Copy column="half">{fee.description}</Copy>}
            </View>
            <View style={styles.when}>
              <Copy column="narrow">{feeTypeName(fee, words)}</Copy>
            </View>
            <View style={styles.amount}>
              <Copy style={styles.strong}>{formatMoney(fee.amount_cents, currency, locale)}</Copy>
              {fee.unit && (
                <Copy style={styles.small} column="narrow">
                  {fee.unit}
                </Copy>
              )}
            </View>
          </View>
        ))}
      </Fragment>
    );
  });
}

function feeTypeName(fee: SnapshotFee, words: Messages): string {
  if (!fee.type) return '';
  const name = fee.type.replace(/^(mandatory|conditional)_/, '');
  return words.fee_type[name] ?? name;
}

function ArrivalGroups({ context: { input, words } }: { context: DocumentContext }) {
  const release = input.snapshot.packet.arrival_release;
  const groups = ARRIVAL_GROUPS.filter((group) => release[group]);
  if (groups.length === 0) return null;
  return (
    <Block title={words.arrival}>
      <Copy style={styles.small}>{words.arrival_intro}</Copy>
      {groups.map((group) => (
        <View key={group} style={styles.ruledRow} wrap={false}>
          <View style={styles.grow}>
            <Copy style={styles.strong}>{words[`arrival_${group}`]}</Copy>
          </View>
          <Copy>{words[`release_${release[group] ?? 'before_signing'}`]}</Copy>
        </View>
      ))}
    </Block>
  );
}
