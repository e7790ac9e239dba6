/** The certificate as one document: cover, acknowledged packet, trail, with a footer on every page. */
import { Document, Page, Text, View } from '@react-pdf/renderer';
import { Cover, type DocumentContext } from './cover';
import { Evidence } from './evidence';
import { fill } from './messages';
import { AcknowledgedPacket } from './packet';
import { styles } from './styles';

const PRODUCT = 'Threshold';

export interface CertificateDocumentProps {
  context: DocumentContext;
}

export function CertificateDocument({ context }: CertificateDocumentProps) {
  const { input, words, locale, brand } = context;
  return (
    // The rest of the metadata is written by metadata.ts.
    <Document language={locale} creationDate={new Date(input.sealed_at)} conformance="PDF/A-3b">
      <Page size="A4" style={styles.page}>
        <View fixed style={[styles.bar, { backgroundColor: brand }]} />
        {!input.livemode && (
          <Text fixed style={styles.testBand}>
            {words.test_mode}
          </Text>
        )}
        <View fixed style={styles.footer}>
          <Text>{`${PRODUCT} · ${input.certificate_id}`}</Text>
          <Text>{`SHA-256 ${input.content_hash.slice(0, 16)}…`}</Text>
          <Text render={({ pageNumber, totalPages }) => fill(words.page, { page: pageNumber, pages: totalPages })} />
        </View>
        <Cover context={context} />
        <AcknowledgedPacket context={context} />
        <Evidence context={context} />
      </Page>
    </Document>
  );
}
