/** The audit trail, and how to verify the document. */
import { UNKNOWN_EMBED_ORIGIN } from '@/modules/properties/embed-origins.rules';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { toCanonicalJson } from '@/shared/canonical-json';
import type { CertificateDocumentContext } from './cover';
import { formatUtc } from './format';
import { DirectionAwareView } from './primitives';
import { documentStyles } from './styles';
import { DocumentText, LabelledDetail } from './text';
import { getTrailEntryTypeLabel } from './words';

export function EvidencePages({ context }: { context: CertificateDocumentContext }) {
  const { input, words, timestamped } = context;
  return (
    <>
      <DirectionAwareView style={documentStyles.sectionStart} minPresenceAhead={110}>
        <DocumentText style={documentStyles.sectionTitle}>{words('trail_section')}</DocumentText>
        <DocumentText style={documentStyles.sectionIntro}>{words('trail_intro')}</DocumentText>
      </DirectionAwareView>
      {input.trail.map((entry) => (
        <TrailRow key={entry.seq} entry={entry} context={context} />
      ))}
      <DirectionAwareView style={documentStyles.headingSpace} wrap={false}>
        <DocumentText style={documentStyles.heading}>{words('integrity_section')}</DocumentText>
        <DocumentText style={documentStyles.paragraph}>{words('verify_hint')}</DocumentText>
        <DocumentText style={documentStyles.paragraph}>{words('integrity_seal')}</DocumentText>
        <DocumentText style={documentStyles.paragraph}>{words('integrity_attachments')}</DocumentText>
        <DocumentText style={documentStyles.paragraph}>
          {timestamped ? words('times_stamped') : words('times_own')}
        </DocumentText>
        <DirectionAwareView style={documentStyles.facts}>
          <LabelledDetail label={words('content_hash')} wide>
            <DocumentText style={documentStyles.mono}>{input.content_hash}</DocumentText>
          </LabelledDetail>
          <LabelledDetail label={words('trail_head')} wide>
            <DocumentText style={documentStyles.mono}>{input.trail.at(-1)?.hash ?? ''}</DocumentText>
          </LabelledDetail>
          <LabelledDetail label={words('sealed_at')} wide>
            <DocumentText>{formatUtc(input.sealed_at)}</DocumentText>
          </LabelledDetail>
          <LabelledDetail label={words('verify')} wide>
            <DocumentText style={documentStyles.mono}>{input.verify_url}</DocumentText>
          </LabelledDetail>
        </DirectionAwareView>
      </DirectionAwareView>
    </>
  );
}

function TrailRow({ entry, context: { words } }: { entry: ChainedTrailEntry; context: CertificateDocumentContext }) {
  const origin = [entry.actor, entry.ip].filter(Boolean).join(' · ');
  const { embedded_in } = entry.data;
  const has_data = Object.keys(entry.data).length > 0;
  return (
    <DirectionAwareView style={documentStyles.ruledRow} wrap={false}>
      <DocumentText style={[documentStyles.number, { width: 18 }]}>{String(entry.seq)}</DocumentText>
      <DocumentText style={[documentStyles.mono, documentStyles.trailWhen]}>{formatUtc(entry.created_at)}</DocumentText>
      <DirectionAwareView style={documentStyles.grow}>
        <DocumentText style={documentStyles.strong} column="half">
          {getTrailEntryTypeLabel(entry.type, words)}
        </DocumentText>
        {origin !== '' && (
          <DocumentText style={documentStyles.small} column="half">
            {origin}
          </DocumentText>
        )}
        {entry.user_agent && (
          <DocumentText style={documentStyles.small} column="half">
            {entry.user_agent}
          </DocumentText>
        )}
        {typeof embedded_in === 'string' && (
          <DocumentText style={documentStyles.small} column="half">
            {words('embedded_in', { origin: embedded_in === UNKNOWN_EMBED_ORIGIN ? words('unknown') : embedded_in })}
          </DocumentText>
        )}
        {has_data && (
          <DocumentText style={[documentStyles.mono, { fontSize: 6.5 }]} column="half">
            {shorten(toCanonicalJson(entry.data), 400)}
          </DocumentText>
        )}
        <DocumentText style={[documentStyles.mono, documentStyles.muted, { fontSize: 6.5 }]}>{entry.hash}</DocumentText>
      </DirectionAwareView>
    </DirectionAwareView>
  );
}

/** Shortens a text so that a row fits on a page. The attached trail contains the full text. */
const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);
