/**
 * The seal: a detached PKCS#7 signature over every byte of the file but itself (ISO 32000-1, 12.8), optionally with an
 * RFC 3161 timestamp over the signature, so that not even who holds the key can back-date it.
 */
import { createHash } from 'node:crypto';
import { pdflibAddPlaceholder } from '@signpdf/placeholder-pdf-lib';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { PDFDocument } from 'pdf-lib';
import type { TimestampAuthority } from '../types';
import { addTimestamp, signatureValue, withExactIssuer } from './cms';

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
  });
  // Object streams would hide the signature dictionary from the signer.
  const bytes = await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  const signer = new SealSigner(p12, passphrase, tsa);
  return new SignPdf().sign(Buffer.from(bytes), signer, options.signed_at);
}

class SealSigner extends P12Signer {
  constructor(
    p12: Uint8Array,
    passphrase: string,
    private readonly tsa: TimestampAuthority | undefined,
  ) {
    super(p12, { passphrase });
  }

  override async sign(pdf: Buffer, signing_time?: Date): Promise<Buffer> {
    const signed_data = withExactIssuer(await super.sign(pdf, signing_time));
    if (!this.tsa) return signed_data;
    const token = await this.tsa(createHash('sha256').update(signatureValue(signed_data)).digest());
    return addTimestamp(signed_data, token);
  }
}

/**
 * Text for the inside of a PDF literal string, which the placeholder writes as it is: UTF-16 with every byte in octal.
 * A parenthesis, or a text that looks like the placeholder's own syntax, could otherwise end the string early.
 */
function literal(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
