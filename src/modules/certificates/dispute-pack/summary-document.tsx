/** The pack's summary as one sealed page. Rendering is slow, so call it in the worker. */
import { Document, Page, renderToBuffer, Text, View } from '@react-pdf/renderer';
import { toCanonicalJson } from '@/shared/canonical-json';
import { getFontStack, loadFontCoverage, registerFonts } from '../document/fonts';
import { mapJsonStrings, toPrintableText } from '../document/printable';
import { DEFAULT_CERTIFICATE_BRAND_COLOR, documentStyles } from '../document/styles';
import { DocumentText } from '../document/text';
import { sealPdf } from '../seal/seal';
import type { SealingKey } from '../types';
import type { DisputePackSummary } from './summary';

export interface DisputeSummarySealOptions {
  sealing_key: SealingKey;
  /** The installation's host name, as the location in the seal. */
  location: string;
  /** ISO 8601, UTC. */
  signed_at: string;
}

/** Renders and seals the page. */
export async function renderSealedDisputeSummary(
  summary: DisputePackSummary,
  seal: DisputeSummarySealOptions,
): Promise<Uint8Array> {
  const { p12, passphrase } = seal.sealing_key;
  return sealPdf(await renderUnsealedDisputeSummary(summary), p12, passphrase, {
    reason: `Seal of the summary of ${summary.certificate_id}`,
    name: 'Threshold',
    location: seal.location,
    signed_at: new Date(seal.signed_at),
  });
}

/** Renders the page without a seal. */
export async function renderUnsealedDisputeSummary(given: DisputePackSummary): Promise<Uint8Array> {
  registerFonts();
  const covers = await loadFontCoverage(getFontStack(toCanonicalJson(given)));
  return renderToBuffer(<SummaryDocument summary={mapJsonStrings(given, (text) => toPrintableText(text, covers))} />);
}

const small = { fontSize: 7.5, lineHeight: 1.3 };

function SummaryDocument({ summary }: { summary: DisputePackSummary }) {
  return (
    <Document language="en" title={`Summary of ${summary.certificate_id}`} creator="Threshold" producer="Threshold">
      {/* summary.ts limits the content so that it always fits on one page. */}
      <Page size="A4" style={[documentStyles.page, small, { minHeight: 842 }]} wrap={false}>
        <View style={[documentStyles.bar, { backgroundColor: DEFAULT_CERTIFICATE_BRAND_COLOR }]} />
        <DocumentText style={[documentStyles.title, { fontSize: 17, marginBottom: 2 }]}>
          Summary of the evidence
        </DocumentText>
        <DocumentText
          style={documentStyles.small}
        >{`${summary.certificate_id} · The sealed file, the audit trail and the logs are in the same archive.`}</DocumentText>
        {summary.notices.map((notice) => (
          <DocumentText key={notice} style={[documentStyles.strong, { marginTop: 6 }]}>
            {notice}
          </DocumentText>
        ))}
        {summary.sections.map(({ title, facts }) => (
          <View key={title} style={{ marginTop: 8 }}>
            <DocumentText style={[documentStyles.heading, { fontSize: 9.5, marginBottom: 2 }]}>{title}</DocumentText>
            {facts.map(({ label, value, mono }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rendered once.
              <View key={index} style={{ flexDirection: 'row', gap: 10 }}>
                <Text style={[documentStyles.muted, { width: 130 }]}>{label}</Text>
                <View style={documentStyles.grow}>
                  <DocumentText style={mono ? [documentStyles.mono, { fontSize: 6.5 }] : small}>
                    {value.replaceAll('\n', ' ')}
                  </DocumentText>
                </View>
              </View>
            ))}
          </View>
        ))}
      </Page>
    </Document>
  );
}
