/** The certificate as one document: cover, acknowledged packet, trail, with a footer on every page. */
import { Document, Page } from '@react-pdf/renderer';
import { LANGUAGES } from '@/shared/guest-text/locale';
import { Cover, type DocumentContext } from './cover';
import { Evidence } from './evidence';
import { fill } from './messages';
import { AcknowledgedPacket } from './packet';
import { LanguageContext, Text, View } from './primitives';
import { styles } from './styles';
import { Copy, fontFamilyFor } from './text';

const PRODUCT = 'Threshold';

export interface CertificateDocumentProps {
  context: DocumentContext;
}

export function CertificateDocument({ context }: CertificateDocumentProps) {
  const { input, words, locale, brand } = context;
  const { tag, dir } = LANGUAGES[locale];
  return (
    // The rest of the metadata is written by metadata.ts.
    <Document language={tag} creationDate={new Date(input.sealed_at)} conformance="PDF/A-3b">
      <Page size="A4" style={[styles.page, { textAlign: dir === 'rtl' ? 'right' : 'left' }]}>
        <LanguageContext.Provider value={{ locale, direction: dir }}>
          <View fixed style={[styles.bar, { backgroundColor: brand }]} />
          {!input.livemode && (
            <View fixed style={styles.testBand}>
              <Copy>{words.test_mode}</Copy>
            </View>
          )}
          <View fixed style={styles.footer}>
            <Copy style={styles.footerPart}>{`${PRODUCT} · ${input.certificate_id}`}</Copy>
            <Copy style={[styles.footerPart, { textAlign: 'center' }]}>
              {`SHA-256 ${input.content_hash.slice(0, 16)}…`}
            </Copy>
            <PageNumber words={words} locale={locale} />
          </View>
          <Cover context={context} />
          <AcknowledgedPacket context={context} />
          <Evidence context={context} />
        </LanguageContext.Provider>
      </Page>
    </Document>
  );
}

/** No `Copy`: it is known only when the pages are. */
function PageNumber({ words, locale }: Pick<DocumentContext, 'words' | 'locale'>) {
  const fontFamily = fontFamilyFor(words.page, locale);
  return (
    <Text
      style={[styles.footerPart, { textAlign: 'right', fontFamily }]}
      render={({ pageNumber, totalPages }) => fill(words.page, { page: pageNumber, pages: totalPages })}
    />
  );
}
