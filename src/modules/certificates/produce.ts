/** From input to sealed file. This is what the worker runs; tests call it in process. */

import { snapshotHash } from '@/modules/snapshot/snapshot';
import { verifyChain } from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import { renderDocument } from './document/render-document';
import { attachEvidence } from './seal/attachments';
import { differingGiven, givenHashes } from './seal/given.rules';
import { sealPdf } from './seal/seal';
import type { CertificateInput, RenderedCertificate, TimestampAuthority } from './types';
import { verifySealedPdf } from './verify/pdf';

/**
 * Renders, attaches the evidence and seals. Throws an Error when the content hash is not the snapshot's or the trail is
 * broken: a seal must not be put under a statement that is not true.
 */
export async function produceCertificate(
  input: CertificateInput,
  tsa?: TimestampAuthority,
): Promise<RenderedCertificate> {
  if (snapshotHash(input.snapshot) !== input.content_hash) {
    throw new Error(`The content hash of ${input.certificate_id} is not the hash of its snapshot.`);
  }
  const chain = verifyChain(input.trail);
  if (!chain.ok) {
    throw new Error(`The audit trail of ${input.certificate_id} is broken at entry ${chain.broken_seq}.`);
  }
  assertGiven(input);
  const document = await renderDocument(input, tsa !== undefined);
  await attachEvidence(document, input);
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

/** The photo and the drawing are those whose hashes the signature's entry names. */
function assertGiven(input: CertificateInput): void {
  const { certificate_id, trail } = input;
  for (const field of differingGiven(givenHashes(input), trail.at(-1)?.data)) {
    const what = field === 'photo_sha256' ? 'photo' : 'drawn signature';
    throw new Error(`The ${what} of ${certificate_id} is not the one that was signed.`);
  }
}

/** What an authority answers is not ours to believe: a token of something else would make the seal invalid for ever. */
async function assertTimestamped(pdf: Uint8Array, certificate_id: string): Promise<void> {
  const { seal, reason, timestamp } = await verifySealedPdf(pdf);
  if (seal !== 'valid' || !timestamp || timestamp.problem) {
    const why = reason ?? timestamp?.problem ?? 'there is none';
    throw new Error(`The timestamp of ${certificate_id} does not hold: ${why}`);
  }
}
