/** The acknowledged packet, as the guest saw it. */
import { Fragment } from 'react';
import {
  type AgreementSnapshotFee,
  type AgreementSnapshotRule,
  ARRIVAL_DETAIL_GROUPS,
} from '@/modules/snapshot/snapshot';
import { getFeeApplicability, groupRulesByCategory } from '@/shared/guest-text/labels';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { CertificateDocumentContext } from './cover';
import { formatMoney, getLanguageName } from './format';
import { DirectionAwareView } from './primitives';
import { documentStyles } from './styles';
import { DocumentText, TitledBlock, VerbatimText } from './text';
import type { DocumentTranslator } from './words';

export function AcknowledgedPacketSections({ context }: { context: CertificateDocumentContext }) {
  const { input, words, locale, brand, t } = context;
  const { packet } = input.snapshot;
  const shown_in = getLanguageName(input.snapshot.locale);
  return (
    <>
      <DirectionAwareView style={documentStyles.sectionStart} minPresenceAhead={110}>
        <DocumentText style={documentStyles.sectionTitle}>{words('acknowledged_section')}</DocumentText>
      </DirectionAwareView>
      <DocumentText style={documentStyles.sectionIntro}>
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
  rules: readonly AgreementSnapshotRule[];
  words: DocumentTranslator;
  t: TranslateFunction;
}) {
  if (rules.length === 0) return <DocumentText style={documentStyles.muted}>{words('no_rules')}</DocumentText>;
  const groups = groupRulesByCategory(rules, t);
  const only_general = groups.length === 1 && groups[0]?.label === t('rules.general');
  let number = 0;
  return groups.map((group) => (
    <Fragment key={group.label}>
      {!only_general && (
        <DirectionAwareView minPresenceAhead={30}>
          <DocumentText style={documentStyles.subheading}>{group.label}</DocumentText>
        </DirectionAwareView>
      )}
      {group.rules.map((rule) => {
        number += 1;
        return (
          <DirectionAwareView key={rule.id} style={documentStyles.row} wrap={false}>
            <DocumentText style={documentStyles.number}>{`${number}.`}</DocumentText>
            <DirectionAwareView style={documentStyles.grow}>
              <DocumentText>{rule.text}</DocumentText>
            </DirectionAwareView>
          </DirectionAwareView>
        );
      })}
    </Fragment>
  ));
}

interface FeesProps {
  fees: readonly AgreementSnapshotFee[];
  currency: string;
  locale: GuestLocale;
  words: DocumentTranslator;
}

/** Renders the fees with the labels that the guest saw. */
function Fees({ fees, currency, locale, words }: FeesProps) {
  if (fees.length === 0) return <DocumentText style={documentStyles.muted}>{words('no_fees')}</DocumentText>;
  return (['mandatory', 'conditional', 'unspecified'] as const).map((kind) => {
    const members = fees.filter((fee) => getFeeApplicability(fee.type) === kind);
    if (members.length === 0) return null;
    return (
      <Fragment key={kind}>
        <DirectionAwareView minPresenceAhead={30}>
          <DocumentText style={documentStyles.subheading}>{members[0]?.heading ?? ''}</DocumentText>
        </DirectionAwareView>
        {members.map((fee) => (
          <Fee key={fee.id} fee={fee} amount={formatMoney(fee.amount_cents, currency, locale)} />
        ))}
      </Fragment>
    );
  });
}

function Fee({ fee, amount }: { fee: AgreementSnapshotFee; amount: string }) {
  const { when, unit_label } = fee;
  return (
    <DirectionAwareView style={documentStyles.ruledRow} wrap={false}>
      <DirectionAwareView style={documentStyles.grow}>
        <DocumentText style={documentStyles.strong} column="half">
          {fee.label}
        </DocumentText>
        {fee.description && <DocumentText column="half">{fee.description}</DocumentText>}
      </DirectionAwareView>
      <DirectionAwareView style={documentStyles.when}>
        <DocumentText column="narrow">{when ?? ''}</DocumentText>
      </DirectionAwareView>
      <DirectionAwareView style={documentStyles.amount}>
        <DocumentText style={documentStyles.strong}>{amount}</DocumentText>
        {unit_label && (
          <DocumentText style={documentStyles.small} column="narrow">
            {unit_label}
          </DocumentText>
        )}
      </DirectionAwareView>
    </DirectionAwareView>
  );
}

function ArrivalGroups({ context: { input, words, brand } }: { context: CertificateDocumentContext }) {
  const { notes } = input.snapshot.packet;
  const release = input.snapshot.packet.arrival_release;
  const groups = ARRIVAL_DETAIL_GROUPS.filter((group) => release[group]);
  if (groups.length === 0) return null;
  return (
    <TitledBlock title={words('arrival')}>
      <DocumentText style={documentStyles.small}>{words('arrival_intro')}</DocumentText>
      {groups.map((group) => (
        <DirectionAwareView key={group} style={documentStyles.ruledRow} wrap={false}>
          <DirectionAwareView style={documentStyles.grow}>
            <DocumentText style={documentStyles.strong}>{words(`arrival_${group}`)}</DocumentText>
          </DirectionAwareView>
          <DocumentText>{words(`release_${release[group] ?? 'before_signing'}`)}</DocumentText>
        </DirectionAwareView>
      ))}
      {notes.map((note) => (
        <Fragment key={note.group}>
          <DirectionAwareView minPresenceAhead={30}>
            <DocumentText style={documentStyles.subheading}>{note.heading}</DocumentText>
          </DirectionAwareView>
          <VerbatimText color={brand}>{note.text}</VerbatimText>
        </Fragment>
      ))}
    </TitledBlock>
  );
}
