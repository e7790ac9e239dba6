/** The acknowledged packet, as the guest saw it. */
import { Fragment } from 'react';
import { ARRIVAL_DETAIL_GROUPS, type SnapshotFee, type SnapshotRule } from '@/modules/snapshot/snapshot';
import { getFeeApplicability, groupRulesByCategory } from '@/shared/guest-text/labels';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { CertificateDocumentContext } from './cover';
import { formatMoney, getLanguageName } from './format';
import { DirectionalView } from './primitives';
import { documentStyles } from './styles';
import { DocumentText, TitledBlock, VerbatimText } from './text';
import type { DocumentTranslator } from './words';

export function AcknowledgedPacket({ context }: { context: CertificateDocumentContext }) {
  const { input, words, locale, brand, t } = context;
  const { packet } = input.snapshot;
  const shown_in = getLanguageName(input.snapshot.locale);
  return (
    <>
      <DirectionalView style={documentStyles.sectionStart} minPresenceAhead={110}>
        <DocumentText style={documentStyles.sectionTitle}>{words('acknowledged_section')}</DocumentText>
      </DirectionalView>
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
  rules: readonly SnapshotRule[];
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
        <DirectionalView minPresenceAhead={30}>
          <DocumentText style={documentStyles.subheading}>{group.label}</DocumentText>
        </DirectionalView>
      )}
      {group.rules.map((rule) => {
        number += 1;
        return (
          <DirectionalView key={rule.id} style={documentStyles.row} wrap={false}>
            <DocumentText style={documentStyles.number}>{`${number}.`}</DocumentText>
            <DirectionalView style={documentStyles.grow}>
              <DocumentText>{rule.text}</DocumentText>
            </DirectionalView>
          </DirectionalView>
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
  if (fees.length === 0) return <DocumentText style={documentStyles.muted}>{words('no_fees')}</DocumentText>;
  return (['mandatory', 'conditional', 'unspecified'] as const).map((kind) => {
    const members = fees.filter((fee) => getFeeApplicability(fee.type) === kind);
    if (members.length === 0) return null;
    return (
      <Fragment key={kind}>
        <DirectionalView minPresenceAhead={30}>
          <DocumentText style={documentStyles.subheading}>{members[0]?.heading ?? ''}</DocumentText>
        </DirectionalView>
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
    <DirectionalView style={documentStyles.ruledRow} wrap={false}>
      <DirectionalView style={documentStyles.grow}>
        <DocumentText style={documentStyles.strong} column="half">
          {fee.label}
        </DocumentText>
        {fee.description && <DocumentText column="half">{fee.description}</DocumentText>}
      </DirectionalView>
      <DirectionalView style={documentStyles.when}>
        <DocumentText column="narrow">{when ?? ''}</DocumentText>
      </DirectionalView>
      <DirectionalView style={documentStyles.amount}>
        <DocumentText style={documentStyles.strong}>{amount}</DocumentText>
        {unit_label && (
          <DocumentText style={documentStyles.small} column="narrow">
            {unit_label}
          </DocumentText>
        )}
      </DirectionalView>
    </DirectionalView>
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
        <DirectionalView key={group} style={documentStyles.ruledRow} wrap={false}>
          <DirectionalView style={documentStyles.grow}>
            <DocumentText style={documentStyles.strong}>{words(`arrival_${group}`)}</DocumentText>
          </DirectionalView>
          <DocumentText>{words(`release_${release[group] ?? 'before_signing'}`)}</DocumentText>
        </DirectionalView>
      ))}
      {notes.map((note) => (
        <Fragment key={note.group}>
          <DirectionalView minPresenceAhead={30}>
            <DocumentText style={documentStyles.subheading}>{note.heading}</DocumentText>
          </DirectionalView>
          <VerbatimText color={brand}>{note.text}</VerbatimText>
        </Fragment>
      ))}
    </TitledBlock>
  );
}
