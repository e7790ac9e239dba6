/**
 * Seals each signature in a durable job. The job renders the PDF in a worker thread. One
 * transaction then stores the PDF, the trail entry, the leaf in the public log and the event
 * `certificate.created`. Running the job again changes nothing.
 */

import { config } from '@/config';
import { recordEvent } from '@/events/record';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { safeFetch } from '@/infra/outbound/client';
import { buildCertificateVerifyUrl } from '@/modules/links/urls';
import { readLogo } from '@/modules/properties/logo/service';
import { addSealedFileToLog } from '@/modules/public-log/service';
import { agreementSnapshotSchema } from '@/modules/snapshot/snapshot';
import { computeTrailHashAtSigning } from '@/modules/trail/attestation';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { appendTrailEntries, convertRowToChainedTrailEntry, listTrailEntries } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { clock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { awaitFileOrGoneIfLostOrDamaged, decryptDrawnSignature, readCertificatePhoto } from '../files/read';
import { getCertificateRenderPool } from '../render';
import * as repository from '../repository';
import { findUnsealedSignaturesCreatedBefore } from '../repository';
import { serializeCertificate } from '../serializer';
import type { CertificateRenderInput, GuestSubmittedFileKind } from '../types';
import { prepareSignedCopyMail } from './copy-mail';
import { loadInstallationSealingKey } from './installation-key';
import { getConfiguredTimestampAuthority } from './timestamp-authority';

/**
 * Seals a signature's certificate. If that fails, stores the reason and throws, so that the job is
 * retried.
 */
export async function sealCertificate(scope: Scope, signature_id: string): Promise<'sealed' | 'unchanged'> {
  const signature = await repository.findSignatureRow(scope, signature_id);
  if (!signature || signature.sealed_at || signature.redacted_at) return 'unchanged';
  const snapshot = await repository.findAgreementSnapshot(scope, signature.snapshot_id);
  if (!snapshot) throw new Error(`Signature ${signature_id} has no snapshot.`);
  const sealed_snapshot = agreementSnapshotSchema.parse(JSON.parse(snapshot.canonical));
  const trail = (await listTrailEntries(scope, signature.reservation_id)).map(convertRowToChainedTrailEntry);
  if (trail.some(({ type }) => type === 'certificate.created'))
    throw new Error('It was sealed before, and its file is gone: nothing is sealed in its place.');
  if (signature.attestation !== computeTrailHashAtSigning(signature, trail))
    throw new Error('What is stored of this signature is not what the guest signed: it is not sealed.');
  const signed_at = trail.findIndex((entry) => entry.type === 'reservation.signed');
  const property = await repository.findProperty(scope, signature.property_id);
  const sealed_at = clock().now();
  const photo = await awaitFileOrGoneIfLostOrDamaged(readCertificatePhoto(scope, signature_id));
  const drawing = await awaitFileOrGoneIfLostOrDamaged(decryptDrawnSignature(signature.drawn_signature));
  const guest_files = { photo, drawn_signature: drawing };
  // A damaged file does not prevent sealing. The certificate mentions the damage and contains the
  // file's hash from the trail.
  const damaged = (Object.keys(guest_files) as GuestSubmittedFileKind[]).filter((file) => guest_files[file] === 'gone');
  try {
    const rendered = await getCertificateRenderPool().render(
      {
        certificate_id: signature.id,
        livemode: scope.mode === 'live',
        snapshot: sealed_snapshot,
        content_hash: signature.content_hash,
        signer: {
          typed_name: signature.signer_name,
          drawn_signature_png: drawing === 'gone' ? null : drawing,
          signed_at: signature.signed_at.toISOString(),
          ip: signature.signed_ip,
          user_agent: signature.user_agent,
          email_confirmed: signature.otp_confirmed,
          email_code: emailCode(trail[signed_at]?.data),
          photo_sha256: photo && photo !== 'gone' ? sha256Hex(photo) : null,
          damaged,
        },
        trail: trail.slice(0, signed_at + 1),
        verify_url: buildCertificateVerifyUrl(signature.id),
        branding: {
          brand_color: property?.brand_color ?? null,
          logo: property?.logo_url ? await fetchLogo(property.logo_url) : null,
        },
        sealing_key: await loadInstallationSealingKey(),
        sealed_at: sealed_at.toISOString(),
      },
      getConfiguredTimestampAuthority(),
    );
    const pdf = new Uint8Array(rendered.pdf);
    const copy = await prepareSignedCopyMail(scope, signature, sealed_snapshot, property, pdf);
    return await inTransaction(scope, async () => {
      if (
        !(await repository.storeSealedCertificate(scope, signature.id, { pdf, pdf_sha256: rendered.sha256, sealed_at }))
      )
        return 'unchanged';
      await repository.lockReservation(scope, signature.reservation_id);
      const item = { type: 'certificate.created', data: { certificate_id: signature.id, pdf_sha256: rendered.sha256 } };
      await appendTrailEntries(scope, signature.reservation_id, [...(copy ? [copy.item] : []), item], sealed_at);
      await copy?.queue();
      await addSealedFileToLog(scope, rendered.sha256);
      const object = serializeCertificate({ ...signature, sealed_at, pdf_sha256: rendered.sha256 });
      await recordEvent(scope, { type: 'certificate.created', object_id: signature.id, data: { object } });
      return 'sealed';
    });
  } catch (error) {
    await repository.storeSealError(
      scope,
      signature.id,
      error instanceof Error ? error.message : String(error),
      sealed_at,
    );
    throw error;
  }
}

/**
 * Returns when and to which address a code was confirmed, according to the signature's trail entry.
 */
function emailCode(signed: ChainedTrailEntry['data'] = {}): CertificateRenderInput['signer']['email_code'] {
  const { email_code_confirmed_at: confirmed_at, email_code_sent_to: sent_to } = signed;
  return typeof confirmed_at === 'string' && typeof sent_to === 'string' ? { confirmed_at, sent_to } : null;
}

/**
 * `findUnsealedCertificates` omits signatures younger than this, because the job that each
 * signature starts normally seals them.
 */
const GRACE_MS = 2 * 60 * 1000;

/** Returns the oldest unsealed signatures, at most `limit`. */
export async function findUnsealedCertificates(limit: number, grace_ms = GRACE_MS) {
  const rows = await findUnsealedSignaturesCreatedBefore(new Date(clock().now().getTime() - grace_ms), limit);
  return rows.map(({ id, team_id, mode }) => ({ signature_id: id, scope: createSystemScope(team_id, mode, 'seal') }));
}

const MAX_LOGO_BYTES = 1024 * 1024;

/** Fetches a logo. Returns null on any failure, because a missing logo must not prevent sealing. */
export async function fetchLogo(url: string): Promise<Uint8Array | null> {
  try {
    const own = await readLogo(url);
    if (own) return new Uint8Array(own.bytes);
    const response = await safeFetch(url, {
      timeout_ms: 5_000,
      max_body_bytes: MAX_LOGO_BYTES,
      max_redirects: 3,
      allow_loopback: config().outbound_allow_loopback,
    });
    if (response.status !== 200 || response.truncated) return null;
    const { body } = response;
    const png = body.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    const jpeg = body[0] === 0xff && body[1] === 0xd8;
    return png || jpeg ? new Uint8Array(body) : null;
  } catch (error) {
    logger().info({ err: error }, 'a logo could not be fetched');
    return null;
  }
}
