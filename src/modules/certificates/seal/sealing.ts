/**
 * Sealing: a durable job per signature. It renders off the event loop, then stores the PDF, the trail entry, its leaf of the
 * public log and `certificate.created` in one transaction, once; running it again changes nothing.
 */
import { recordEvent } from '@/events/record';
import { inTransaction } from '@/infra/db/transaction';
import { verifyUrl } from '@/modules/links/urls';
import { enterIntoLog } from '@/modules/public-log/service';
import { snapshotSchema } from '@/modules/snapshot/snapshot';
import { attestSigned } from '@/modules/trail/attestation';
import type { ChainedEntry } from '@/modules/trail/chain';
import { appendTrail, chainedEntry, listTrail } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { orGone, readPhoto } from '../files/read';
import { renderCertificate } from '../render';
import * as repository from '../repository';
import { serializeCertificate } from '../serializer';
import type { CertificateInput, GivenFile } from '../types';
import { prepareCopyMail } from './copy-mail';
import { openDrawing } from './guest-files';
import { installationKey } from './installation-key';
import { fetchLogo } from './logo';
import { configuredAuthority } from './timestamp-authority';

/** Seals the certificate of a signature. Throws when it cannot, so that the job is retried; the reason is kept on the row. */
export async function sealCertificate(scope: Scope, signature_id: string): Promise<'sealed' | 'unchanged'> {
  const signature = await repository.findWhole(scope, signature_id);
  if (!signature || signature.sealed_at || signature.redacted_at) return 'unchanged';
  const snapshot = await repository.findSnapshot(scope, signature.snapshot_id);
  if (!snapshot) throw new Error(`Signature ${signature_id} has no snapshot.`);
  const frozen = snapshotSchema.parse(JSON.parse(snapshot.canonical));
  const trail = (await listTrail(scope, signature.reservation_id)).map(chainedEntry);
  if (trail.some(({ type }) => type === 'certificate.created'))
    throw new Error('It was sealed before, and its file is gone: nothing is sealed in its place.');
  if (signature.attestation !== attestSigned(signature, trail))
    throw new Error('What is stored of this signature is not what the guest signed: it is not sealed.');
  const signed_at = trail.findIndex((entry) => entry.type === 'reservation.signed');
  const property = await repository.findProperty(scope, signature.property_id);
  const sealed_at = clock().now();
  const photo = await orGone(readPhoto(scope, signature_id));
  const drawing = await orGone(openDrawing(signature.drawn_signature));
  const given = { photo, drawn_signature: drawing };
  // What is damaged keeps nobody from having a certificate: it says so, with the hash that the guest's signature names.
  const damaged = (Object.keys(given) as GivenFile[]).filter((file) => given[file] === 'gone');
  try {
    const rendered = await renderCertificate(
      {
        certificate_id: signature.id,
        livemode: scope.mode === 'live',
        snapshot: frozen,
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
        verify_url: verifyUrl(signature.id),
        branding: {
          brand_color: property?.brand_color ?? null,
          logo: property?.logo_url ? await fetchLogo(property.logo_url) : null,
        },
        sealing_key: await installationKey(),
        sealed_at: sealed_at.toISOString(),
      },
      configuredAuthority(),
    );
    const pdf = new Uint8Array(rendered.pdf);
    const copy = await prepareCopyMail(scope, signature, frozen, property, pdf);
    return await inTransaction(scope, async () => {
      if (!(await repository.storeSealed(scope, signature.id, { pdf, pdf_sha256: rendered.sha256, sealed_at })))
        return 'unchanged';
      await repository.lockReservation(scope, signature.reservation_id);
      const item = { type: 'certificate.created', data: { certificate_id: signature.id, pdf_sha256: rendered.sha256 } };
      await appendTrail(scope, signature.reservation_id, [...(copy ? [copy.item] : []), item], sealed_at);
      await copy?.queue();
      await enterIntoLog(scope, rendered.sha256);
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

/** How the address was confirmed, as the signature's entry says. */
function emailCode(signed: ChainedEntry['data'] = {}): CertificateInput['signer']['email_code'] {
  const { email_code_confirmed_at: confirmed_at, email_code_sent_to: sent_to } = signed;
  return typeof confirmed_at === 'string' && typeof sent_to === 'string' ? { confirmed_at, sent_to } : null;
}
