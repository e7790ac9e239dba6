/** Renders a certificate's input to an unsealed PDF. Slow: call it in the worker. */
import { renderToBuffer } from '@react-pdf/renderer';
import { PDFDocument } from 'pdf-lib';
import QRCode from 'qrcode';
import { toCanonicalJson } from '@/shared/canonical-json';
import { DEFAULT_LOCALE, parseLocale } from '@/shared/guest-text/locale';
import { getGuestTranslator } from '@/shared/guest-text/translate';
import type { CertificateRenderInput } from '../types';
import { CertificateDocument } from './certificate-document';
import { getFontStack, loadFontCoverage, registerFonts } from './fonts';
import { parseEmbeddableImage } from './images';
import { writePdfMetadata } from './metadata';
import { mapJsonStrings, toPrintableText } from './printable';
import { DEFAULT_CERTIFICATE_BRAND_COLOR } from './styles';
import { getDocumentTranslator, listTranslatedDocumentTexts } from './words';

/** Grayscale without PNG filters, because color and filters took a tenth of the rendering time. */
const QR = {
  errorCorrectionLevel: 'M',
  margin: 1,
  width: 416,
  rendererOpts: { colorType: 0, filterType: 0 },
} as QRCode.QRCodeToBufferOptions;

const HEX_COLOR = /^#[0-9a-fA-F]{6}$/;

/**
 * Renders the certificate as a PDF/A-3b document with embedded fonts. Adds neither attachments nor
 * a seal. `timestamped` is whether the seal will contain a timestamp, which the text mentions.
 */
export async function renderCertificateDocument(
  input: CertificateRenderInput,
  timestamped = false,
): Promise<PDFDocument> {
  registerFonts();
  const { brand_color, logo } = input.branding;
  const locale = parseLocale(input.snapshot.locale) ?? DEFAULT_LOCALE;
  const words = getDocumentTranslator(locale);
  const fonts = getFontStack(
    toCanonicalJson([input.snapshot, input.signer.typed_name, input.trail, listTranslatedDocumentTexts(locale)]),
    locale,
  );
  const covers = await loadFontCoverage(fonts);
  const context = {
    input: mapJsonStrings(input, (text) => toPrintableText(text, covers)),
    words,
    timestamped,
    t: getGuestTranslator(locale),
    locale,
    brand: brand_color && HEX_COLOR.test(brand_color) ? brand_color : DEFAULT_CERTIFICATE_BRAND_COLOR,
    logo: parseEmbeddableImage(logo),
    drawn_signature: parseEmbeddableImage(input.signer.drawn_signature_png),
    qr: await QRCode.toBuffer(input.verify_url, QR),
  };
  const pages = await renderToBuffer(<CertificateDocument context={context} />);
  const document = await PDFDocument.load(pages, { updateMetadata: false });
  const { property, reservation } = input.snapshot;
  writePdfMetadata(document, {
    title: `${words('document_title')} – ${property.name}`,
    author: property.name,
    subject: `${input.certificate_id} · SHA-256 ${input.content_hash}`,
    keywords: `${input.certificate_id} ${reservation.id}`,
    created_at: new Date(input.sealed_at),
  });
  return document;
}
