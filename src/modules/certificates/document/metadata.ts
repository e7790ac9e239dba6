/**
 * Writes the PDF's metadata in two forms that must agree: the information dictionary and XMP
 * (PDF/A-3, 6.6). The renderer does not escape names. An ampersand would break the XMP, and a
 * property called `/ByteRange [0 …]` could be mistaken for the seal's byte range.
 */
import { type PDFDocument, PDFName, PDFRef } from 'pdf-lib';

export interface DocumentMetadata {
  title: string;
  author: string;
  subject: string;
  keywords: string;
  created_at: Date;
}

const PRODUCT = 'Threshold';

export function writePdfMetadata(document: PDFDocument, metadata: DocumentMetadata): void {
  const { title, author, subject, keywords, created_at } = metadata;
  document.setTitle(title);
  document.setAuthor(author);
  document.setSubject(subject);
  document.setKeywords([keywords]);
  document.setCreator(PRODUCT);
  document.setProducer(PRODUCT);
  document.setCreationDate(created_at);
  document.setModificationDate(created_at);
  // Uncompressed, as PDF/A requires.
  const stream = document.context.stream(new TextEncoder().encode(xmp(metadata)), { Type: 'Metadata', Subtype: 'XML' });
  const existing = document.catalog.get(PDFName.of('Metadata'));
  if (existing instanceof PDFRef) document.context.delete(existing);
  document.catalog.set(PDFName.of('Metadata'), document.context.register(stream));
}

function xmp({ title, author, subject, keywords, created_at }: DocumentMetadata): string {
  const date = `${created_at.toISOString().slice(0, 19)}Z`;
  const alternatives = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreateDate>${date}</xmp:CreateDate><xmp:ModifyDate>${date}</xmp:ModifyDate><xmp:CreatorTool>${PRODUCT}</xmp:CreatorTool>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>${alternatives(title)}</dc:title>
<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:description>${alternatives(subject)}</dc:description>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>${PRODUCT}</pdf:Producer><pdf:Keywords>${escapeXml(keywords)}</pdf:Keywords>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

/** Escapes XML. Also escapes slashes, so that a name cannot look like PDF syntax. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\P{Cc}\n]|\p{Cs}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"'/]/g, (character) => `&#${character.charCodeAt(0)};`);
}
