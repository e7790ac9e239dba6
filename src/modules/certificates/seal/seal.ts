/**
 * The seal: a PAdES signature (EN 319 142-1, baseline B-B) over every byte of the file but itself, that allows no change; with an
 * RFC 3161 timestamp over the signature (B-T), so that not even who holds the key can back-date it.
 */
import { createHash, sign } from 'node:crypto';
import { pdflibAddPlaceholder } from '@signpdf/placeholder-pdf-lib';
import { SignPdf } from '@signpdf/signpdf';
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils';
import { PDFArray, PDFDict, PDFDocument, PDFInvalidObject, PDFName, PDFRef } from 'pdf-lib';
import type { TimestampAuthority } from '../types';
import { addTimestamp, attributesToSign, padesAttributes, sealStructure, signatureValue } from './cms';
import { sealingMaterial } from './sealing-key';

/** Room for the signature in hexadecimal digits; a timestamp brings the authority's certificates with it. */
const SIGNATURE_LENGTH = 8192;
const TIMESTAMPED_SIGNATURE_LENGTH = 32_768;

export interface SealOptions {
  reason: string;
  /** Who seals: the product or the installation. */
  name: string;
  location: string;
  signed_at: Date;
}

/**
 * Seals a PDF with the key of a PKCS#12. Anything appended or changed afterwards breaks it. With a `tsa`, its token is
 * embedded as the unsigned attribute id-aa-timeStampToken; when it throws, so does this, and the caller seals later.
 */
export async function sealPdf(
  pdf: Uint8Array | PDFDocument,
  p12: Uint8Array,
  passphrase: string,
  options: SealOptions,
  tsa?: TimestampAuthority,
): Promise<Uint8Array> {
  const document = pdf instanceof PDFDocument ? pdf : await PDFDocument.load(pdf, { updateMetadata: false });
  pdflibAddPlaceholder({
    pdfDoc: document,
    reason: literal(options.reason),
    contactInfo: '',
    name: literal(options.name),
    location: literal(options.location),
    signingTime: options.signed_at,
    signatureLength: tsa ? TIMESTAMPED_SIGNATURE_LENGTH : SIGNATURE_LENGTH,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED,
  });
  allowNoChange(document);
  // Object streams would hide the signature dictionary from the signer.
  const bytes = await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  const signer = new SealSigner(p12, passphrase, tsa);
  return new SignPdf().sign(Buffer.from(bytes), signer);
}

class SealSigner extends Signer {
  constructor(
    private readonly p12: Uint8Array,
    private readonly passphrase: string,
    private readonly tsa: TimestampAuthority | undefined,
  ) {
    super();
  }

  override async sign(pdf: Buffer): Promise<Buffer> {
    const { private_key, certificate, certificates } = sealingMaterial(this.p12, this.passphrase);
    const signed_attributes = padesAttributes(pdf, certificate);
    const signed_data = sealStructure({
      certificates,
      signer: certificate,
      signed_attributes,
      signature: sign('sha256', attributesToSign(signed_attributes), private_key),
      unsigned_attributes: null,
    });
    if (!this.tsa) return signed_data;
    const token = await this.tsa(createHash('sha256').update(signatureValue(signed_data)).digest());
    return addTimestamp(signed_data, token);
  }
}

/**
 * Makes the signature one that certifies the document and permits no change of it (ISO 32000-1, 12.8.2.2): readers then
 * offer none. The placeholder is bytes already, so that the entry is written into them.
 */
function allowNoChange(document: PDFDocument): void {
  const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
  const fields = form.lookup(PDFName.of('Fields'), PDFArray);
  // The last: where something was signed before, that is no certificate of ours, and verification says so.
  const field = fields.lookup(fields.size() - 1, PDFDict);
  const reference = field.get(PDFName.of('V'));
  const placeholder = reference instanceof PDFRef ? document.context.lookup(reference) : undefined;
  if (!(reference instanceof PDFRef) || !(placeholder instanceof PDFInvalidObject))
    throw new Error('The place of the signature is not where it was put.');
  const written = new Uint8Array(placeholder.sizeInBytes());
  placeholder.copyBytesInto(written, 0);
  const text = Buffer.from(written).toString('latin1');
  const end = text.lastIndexOf('>>');
  const entry =
    '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>]\n';
  const certifying = Buffer.from(`${text.slice(0, end)}${entry}${text.slice(end)}`, 'latin1');
  document.context.assign(reference, PDFInvalidObject.of(new Uint8Array(certifying)));
  document.catalog.set(PDFName.of('Perms'), document.context.obj({ DocMDP: reference }));
}

/**
 * Text for the inside of a PDF literal string, which the placeholder writes as it is: UTF-16 with every byte in octal.
 * A parenthesis, or a text that looks like the placeholder's own syntax, could otherwise end the string early.
 */
function literal(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
