/** The acknowledged packet, as the guest saw it. */
import { Fragment } from 'react';
import { ARRIVAL_GROUPS, type SnapshotFee, type SnapshotRule } from '@/modules/snapshot/snapshot';
import { feeClass, groupRules } from '@/shared/guest-text/labels';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { Translate } from '@/shared/guest-text/translate';
import type { DocumentContext } from './cover';
import { formatMoney, languageName } from './format';
import { View } from './primitives';
import { styles } from './styles';
import { Block, Copy, Prose } from './text';
import type { Words } from './words';

export function AcknowledgedPacket({ context }: { context: DocumentContext }) {
  const { input, words, locale, brand, t } = context;
  const { packet } = input.snapshot;
  const shown_in = languageName(input.snapshot.locale);
  return (
    <>
      <View style={styles.sectionStart} minPresenceAhead={110}>
        <Copy style={styles.sectionTitle}>{words('acknowledged_section')}</Copy>
      </View>
      <Copy style={styles.sectionIntro}>
        {words('acknowledged_intro', { packet: packet.name, language: shown_in })}
      </Copy>
      {packet.welcome_message && (
        <Block title={words('welcome')}>
          <Prose color={brand}>{packet.welcome_message}</Prose>
        </Block>
      )}
      <Block title={words('rules')}>
        <Rules rules={packet.rules} words={words} t={t} />
      </Block>
      <Block title={words('fees')}>
        <Fees fees={packet.fees} currency={packet.currency} locale={locale} words={words} />
      </Block>
      {packet.safety_notes && (
        <Block title={words('safety')}>
          <Prose color={brand}>{packet.safety_notes}</Prose>
        </Block>
      )}
      <ArrivalGroups context={context} />
    </>
  );
}

function Rules({ rules, words, t }: { rules: readonly SnapshotRule[]; words: Words; t: Translate }) {
  if (rules.length === 0) return <Copy style={styles.muted}>{words('no_rules')}</Copy>;
  const groups = groupRules(rules, t);
  const only_general = groups.length === 1 && groups[0]?.label === t('rules.general');
  let number = 0;
  return groups.map((group) => (
    <Fragment key={group.label}>
      {!only_general && (
        <View minPresenceAhead={30}>
          <Copy style={styles.subheading}>{group.label}</Copy>
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

interface FeesProps {
  fees: readonly SnapshotFee[];
  currency: string;
  locale: GuestLocale;
  words: Words;
}

/** Renders the fees with the labels that the guest saw. */
function Fees({ fees, currency, locale, words }: FeesProps) {
  if (fees.length === 0) return <Copy style={styles.muted}>{words('no_fees')}</Copy>;
  return (['mandatory', 'conditional', 'unspecified'] as const).map((kind) => {
    const members = fees.filter((fee) => feeClass(fee.type) === kind);
    if (members.length === 0) return null;
    return (
      <Fragment key={kind}>
        <View minPresenceAhead={30}>
          <Copy style={styles.subheading}>{members[0]?.heading ?? ''}</Copy>
        </View>
        {members.map((fee) => (
          <Fee key={fee.id} fee={fee} amount={formatMoney(fee.amount_cents, currency, locale)} />
        ))}
      </Fragment>
    );
  });
}

function Fee({ fee, amount }: { fee: SnapshotFee; amount: string }) {
  const { when, unit_label } = fee;
  return (
    <View style={styles.ruledRow} wrap={false}>
      <View style={styles.grow}>
        <Copy style={styles.strong} column="half">
          {fee.label}
        </Copy>
        {fee.description && <Copy column="half">{fee.description}</Copy>}
      </View>
      <View style={styles.when}>
        <Copy column="narrow">{when ?? ''}</Copy>
      </View>
      <View style={styles.amount}>
        <Copy style={styles.strong}>{amount}</Copy>
        {unit_label && (
          <Copy style={styles.small} column="narrow">
            {unit_label}
          </Copy>
        )}
      </View>
    </View>
  );
}

function ArrivalGroups({ context: { input, words, brand } }: { context: DocumentContext }) {
  const { notes } = input.snapshot.packet;
  const release = input.snapshot.packet.arrival_release;
  const groups = ARRIVAL_GROUPS.filter((group) => release[group]);
  if (groups.length === 0) return null;
  return (
    <Block title={words('arrival')}>
      <Copy style={styles.small}>{words('arrival_intro')}</Copy>
      {groups.map((group) => (
        <View key={group} style={styles.ruledRow} wrap={false}>
          <View style={styles.grow}>
            <Copy style={styles.strong}>{words(`arrival_${group}`)}</Copy>
          </View>
          <Copy>{words(`release_${release[group] ?? 'before_signing'}`)}</Copy>
        </View>
      ))}
      {notes.map((note) => (
        <Fragment key={note.group}>
          <View minPresenceAhead={30}>
            <Copy style={styles.subheading}>{note.heading}</Copy>
          </View>
          <Prose color={brand}>{note.text}</Prose>
        </Fragment>
      ))}
    </Block>
  );
}
