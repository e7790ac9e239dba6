/**
 * The seal: a PAdES signature (EN 319 142-1, baseline B-B) over every byte of the file except the
 * signature itself. It permits no change. With an RFC 3161 timestamp (B-T), not even the owner of
 * the key can back-date the seal.
 */
import { createHash, sign } from 'node:crypto';
import { pdflibAddPlaceholder } from '@signpdf/placeholder-pdf-lib';
import { SignPdf } from '@signpdf/signpdf';
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils';
import { PDFArray, PDFDict, PDFDocument, PDFInvalidObject, PDFName, PDFRef } from 'pdf-lib';
import type { TimestampAuthority } from '../types';
import {
  addTimestampTokenToSeal,
  buildPadesAttributes,
  encodeAttributesToSign,
  encodeSealAsDer,
  getSignatureValue,
} from './cms';
import { readSealingKeyAndCertificates } from './sealing-key';

/**
 * The space reserved for the signature, in hexadecimal digits. A timestamp needs more, because it
 * includes the authority's certificates.
 */
const SIGNATURE_LENGTH = 8192;
const TIMESTAMPED_SIGNATURE_LENGTH = 32_768;

export interface SealOptions {
  reason: string;
  name: string;
  location: string;
  signed_at: Date;
}

/**
 * Seals a PDF with the key of a PKCS#12. Any later change breaks the seal. A `tsa` adds a timestamp
 * as the unsigned attribute id-aa-timeStampToken. Throws when `tsa` throws, so that the caller can
 * seal later.
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
    reason: escapeLiteral(options.reason),
    contactInfo: '',
    name: escapeLiteral(options.name),
    location: escapeLiteral(options.location),
    signingTime: options.signed_at,
    signatureLength: tsa ? TIMESTAMPED_SIGNATURE_LENGTH : SIGNATURE_LENGTH,
    subFilter: SUBFILTER_ETSI_CADES_DETACHED,
  });
  certifyDocument(document);
  // No object streams, because the signer cannot find a signature dictionary inside one.
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
    const { private_key, certificate, certificates } = readSealingKeyAndCertificates(this.p12, this.passphrase);
    const signed_attributes = buildPadesAttributes(pdf, certificate);
    const signed_data = encodeSealAsDer({
      certificates,
      signer: certificate,
      signed_attributes,
      signature: sign('sha256', encodeAttributesToSign(signed_attributes), private_key),
      unsigned_attributes: null,
    });
    if (!this.tsa) return signed_data;
    const token = await this.tsa(createHash('sha256').update(getSignatureValue(signed_data)).digest());
    return addTimestampTokenToSeal(signed_data, token);
  }
}

/**
 * Makes the signature certify the document and permit no changes (ISO 32000-1, 12.8.2.2), so that
 * PDF readers offer no editing. The placeholder is already serialized, so the entry is inserted
 * into its bytes.
 */
function certifyDocument(document: PDFDocument): void {
  const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
  const fields = form.lookup(PDFName.of('Fields'), PDFArray);
  // The last field is the one just added.
  const field = fields.lookup(fields.size() - 1, PDFDict);
  const reference = field.get(PDFName.of('V'));
  const placeholder = reference instanceof PDFRef ? document.context.lookup(reference) : undefined;
  if (!(reference instanceof PDFRef) || !(placeholder instanceof PDFInvalidObject))
    throw new Error('The signature is not at its expected position.');
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
 * Escapes text for a PDF literal string, as UTF-16 with every byte in octal. The placeholder does
 * not escape text, so a parenthesis could end the string early.
 */
function escapeLiteral(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
