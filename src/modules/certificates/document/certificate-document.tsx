/** The certificate as one document: cover, acknowledged packet and audit trail. */
import { Document, Page } from '@react-pdf/renderer';
import { GUEST_LANGUAGES } from '@/shared/guest-text/locale';
import { type CertificateDocumentContext, CoverPage } from './cover';
import { EvidencePages } from './evidence';
import { AcknowledgedPacketSections } from './packet';
import { DirectionAwareText, DirectionAwareView, DocumentLanguageContext } from './primitives';
import { documentStyles } from './styles';
import { DocumentText, getFontFamily } from './text';

const PRODUCT = 'Threshold';

export function CertificateDocument({ context }: { context: CertificateDocumentContext }) {
  const { input, words, locale, brand } = context;
  const { tag, dir } = GUEST_LANGUAGES[locale];
  return (
    // The renderer writes only the language and the creation date. metadata.ts writes all other
    // metadata.
    <Document language={tag} creationDate={new Date(input.sealed_at)} conformance="PDF/A-3b">
      <Page size="A4" style={[documentStyles.page, { textAlign: dir === 'rtl' ? 'right' : 'left' }]}>
        <DocumentLanguageContext.Provider value={{ locale, direction: dir }}>
          <DirectionAwareView fixed style={[documentStyles.bar, { backgroundColor: brand }]} />
          {!input.livemode && (
            <DirectionAwareView fixed style={documentStyles.testBand}>
              <DocumentText>{words('test_mode')}</DocumentText>
            </DirectionAwareView>
          )}
          <DirectionAwareView fixed style={documentStyles.footer}>
            <DocumentText style={documentStyles.footerPart}>{`${PRODUCT} · ${input.certificate_id}`}</DocumentText>
            <DocumentText style={[documentStyles.footerPart, { textAlign: 'center' }]}>
              {`SHA-256 ${input.content_hash.slice(0, 16)}…`}
            </DocumentText>
            <PageNumber words={words} locale={locale} />
          </DirectionAwareView>
          <CoverPage context={context} />
          <AcknowledgedPacketSections context={context} />
          <EvidencePages context={context} />
        </DocumentLanguageContext.Provider>
      </Page>
    </Document>
  );
}

/**
 * Renders the page number. It does not use `DocumentText`, because the number of pages is known
 * only after layout.
 */
function PageNumber({ words, locale }: Pick<CertificateDocumentContext, 'words' | 'locale'>) {
  const fontFamily = getFontFamily(words('page', { page: '1', pages: '1' }), locale);
  return (
    <DirectionAwareText
      style={[documentStyles.footerPart, { textAlign: 'right', fontFamily }]}
      render={({ pageNumber, totalPages }) => words('page', { page: String(pageNumber), pages: String(totalPages) })}
    />
  );
}
