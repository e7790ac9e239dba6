/** Produces the sealed file from its input. The worker calls this, and tests call it directly. */

import { hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { verifyTrailChain } from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import { renderCertificateDocument } from './document/render-document';
import { attachEvidenceFiles } from './seal/attachments';
import { getGuestFileHashes, listFileHashFieldsDifferingFromTrail } from './seal/guest-files.rules';
import { sealPdf } from './seal/seal';
import type { CertificateRenderInput, RenderedCertificate, TimestampAuthority } from './types';
import { verifySealedPdf } from './verify/pdf';

/**
 * Renders the certificate, attaches the evidence and seals it. Throws an Error when the content
 * hash does not match the snapshot or the trail is broken.
 */
export async function produceCertificate(
  input: CertificateRenderInput,
  tsa?: TimestampAuthority,
): Promise<RenderedCertificate> {
  if (hashAgreementSnapshot(input.snapshot) !== input.content_hash) {
    throw new Error(`The content hash of ${input.certificate_id} is not the hash of its snapshot.`);
  }
  const chain = verifyTrailChain(input.trail);
  if (!chain.ok) {
    throw new Error(`The audit trail of ${input.certificate_id} is broken at entry ${chain.broken_seq}.`);
  }
  assertGuestFiles(input);
  const document = await renderCertificateDocument(input, tsa !== undefined);
  await attachEvidenceFiles(document, input);
  const { p12, passphrase } = input.sealing_key;
  const seal = {
    reason: `Seal of certificate ${input.certificate_id}`,
    name: 'Threshold',
    location: new URL(input.verify_url).host,
    signed_at: new Date(input.sealed_at),
  };
  const pdf = await sealPdf(document, p12, passphrase, seal, tsa);
  if (tsa) await assertTimestamped(pdf, input.certificate_id);
  return { pdf, sha256: sha256Hex(pdf) };
}

/** Throws unless the photo and the drawing have the hashes in the signature's trail entry. */
function assertGuestFiles(input: CertificateRenderInput): void {
  const { certificate_id, trail } = input;
  for (const field of listFileHashFieldsDifferingFromTrail(getGuestFileHashes(input), trail.at(-1)?.data)) {
    const what = field === 'photo_sha256' ? 'photo' : 'drawn signature';
    throw new Error(`The ${what} of ${certificate_id} is not the one that was signed.`);
  }
}

/**
 * Verifies the authority's token, because a wrong token would make the seal permanently invalid.
 */
async function assertTimestamped(pdf: Uint8Array, certificate_id: string): Promise<void> {
  const { seal, reason, timestamp } = await verifySealedPdf(pdf);
  if (seal !== 'valid' || !timestamp || timestamp.problem) {
    const why = reason ?? timestamp?.problem ?? 'there is none';
    throw new Error(`The timestamp of ${certificate_id} does not hold: ${why}`);
  }
}
