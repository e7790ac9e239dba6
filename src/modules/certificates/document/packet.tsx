/** The acknowledged packet, as the guest saw it. */
import { Fragment } from 'react';
import { ARRIVAL_GROUPS, type SnapshotFee, type SnapshotRule } from '@/modules/snapshot/snapshot';
import { getFeeClass, groupRules } from '@/shared/guest-text/labels';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { DocumentContext } from './cover';
import { formatMoney, getLanguageName } from './format';
import { View } from './primitives';
import { styles } from './styles';
import { DocumentText, TitledBlock, VerbatimText } from './text';
import type { DocumentTranslator } from './words';

export function AcknowledgedPacket({ context }: { context: DocumentContext }) {
  const { input, words, locale, brand, t } = context;
  const { packet } = input.snapshot;
  const shown_in = getLanguageName(input.snapshot.locale);
  return (
    <>
      <View style={styles.sectionStart} minPresenceAhead={110}>
        <DocumentText style={styles.sectionTitle}>{words('acknowledged_section')}</DocumentText>
      </View>
      <DocumentText style={styles.sectionIntro}>
        {words('acknowledged_intro', { packet: packet.name, language: shown_in })}
      </DocumentText>
      {packet.welcome_message && (
        <TitledBlock title={words('welcome')}>
          <VerbatimText color={brand}>{packet.welcome_message}</VerbatimText>
        </TitledBlock>
      )}
      <TitledBlock title={words('rules')}>
        <Rules rules={packet.rules} words={words} t={t} />
      </TitledBlock>
      <TitledBlock title={words('fees')}>
        <Fees fees={packet.fees} currency={packet.currency} locale={locale} words={words} />
      </TitledBlock>
      {packet.safety_notes && (
        <TitledBlock title={words('safety')}>
          <VerbatimText color={brand}>{packet.safety_notes}</VerbatimText>
        </TitledBlock>
      )}
      <ArrivalGroups context={context} />
    </>
  );
}

function Rules({
  rules,
  words,
  t,
}: {
  rules: readonly SnapshotRule[];
  words: DocumentTranslator;
  t: TranslateFunction;
}) {
  if (rules.length === 0) return <DocumentText style={styles.muted}>{words('no_rules')}</DocumentText>;
  const groups = groupRules(rules, t);
  const only_general = groups.length === 1 && groups[0]?.label === t('rules.general');
  let number = 0;
  return groups.map((group) => (
    <Fragment key={group.label}>
      {!only_general && (
        <View minPresenceAhead={30}>
          <DocumentText style={styles.subheading}>{group.label}</DocumentText>
        </View>
      )}
      {group.rules.map((rule) => {
        number += 1;
        return (
          <View key={rule.id} style={styles.row} wrap={false}>
            <DocumentText style={styles.number}>{`${number}.`}</DocumentText>
            <View style={styles.grow}>
              <DocumentText>{rule.text}</DocumentText>
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
  words: DocumentTranslator;
}

/** Renders the fees with the labels that the guest saw. */
function Fees({ fees, currency, locale, words }: FeesProps) {
  if (fees.length === 0) return <DocumentText style={styles.muted}>{words('no_fees')}</DocumentText>;
  return (['mandatory', 'conditional', 'unspecified'] as const).map((kind) => {
    const members = fees.filter((fee) => getFeeClass(fee.type) === kind);
    if (members.length === 0) return null;
    return (
      <Fragment key={kind}>
        <View minPresenceAhead={30}>
          <DocumentText style={styles.subheading}>{members[0]?.heading ?? ''}</DocumentText>
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
        <DocumentText style={styles.strong} column="half">
          {fee.label}
        </DocumentText>
        {fee.description && <DocumentText column="half">{fee.description}</DocumentText>}
      </View>
      <View style={styles.when}>
        <DocumentText column="narrow">{when ?? ''}</DocumentText>
      </View>
      <View style={styles.amount}>
        <DocumentText style={styles.strong}>{amount}</DocumentText>
        {unit_label && (
          <DocumentText style={styles.small} column="narrow">
            {unit_label}
          </DocumentText>
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
    <TitledBlock title={words('arrival')}>
      <DocumentText style={styles.small}>{words('arrival_intro')}</DocumentText>
      {groups.map((group) => (
        <View key={group} style={styles.ruledRow} wrap={false}>
          <View style={styles.grow}>
            <DocumentText style={styles.strong}>{words(`arrival_${group}`)}</DocumentText>
          </View>
          <DocumentText>{words(`release_${release[group] ?? 'before_signing'}`)}</DocumentText>
        </View>
      ))}
      {notes.map((note) => (
        <Fragment key={note.group}>
          <View minPresenceAhead={30}>
            <DocumentText style={styles.subheading}>{note.heading}</DocumentText>
          </View>
          <VerbatimText color={brand}>{note.text}</VerbatimText>
        </Fragment>
      ))}
    </TitledBlock>
  );
}
