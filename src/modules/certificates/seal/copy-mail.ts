/**
 * Mails the guest's signed copy, as the consent promises. The mail is queued in the transaction
 * that stores the sealed PDF, so that each certificate has one mail. The mail references the
 * certificate, and the PDF is read when the mail is sent.
 */
import { renderSignedCopyEmail } from '@/emails/signing/signed-copy';
import type { Property } from '@/generated/prisma/client';
import { buildGuestCertificateCopyUrl } from '@/modules/links/urls';
import type { MailAttachmentLoader } from '@/modules/mail/delivery';
import { queueMail } from '@/modules/mail/service';
import { renderInclusionProofFile } from '@/modules/public-log/rules/checkpoint';
import { buildLogInclusionProof } from '@/modules/public-log/service';
import type { AgreementSnapshot } from '@/modules/snapshot/snapshot';
import type { TrailEntryInput } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { EMPTY_SENDER_DETAILS, getGuestMailReplyToAddress } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import { createSystemScope, type Scope } from '@/shared/scope';
import { buildCertificateFileName } from '../batch/file-name.rules';
import { readSealedPdfIfPermitted } from '../entitlement';
import type { SignatureRow } from '../repository';
import * as repository from '../repository';

/**
 * Providers accept 40 MB, but many mailboxes do not. A larger certificate is linked instead of
 * attached.
 */
const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

const PROOF_FILE = 'inclusion.tlog-proof';

export interface SignedCopyMail {
  /** Queues the mail in the current transaction. */
  queue(): Promise<void>;
  item: TrailEntryInput;
}

/** Renders the mail. Returns null when no address is known. */
export async function prepareSignedCopyMail(
  scope: Scope,
  signature: SignatureRow,
  snapshot: AgreementSnapshot,
  property: Property | null,
  pdf: Uint8Array,
): Promise<SignedCopyMail | null> {
  const to = signature.signer_email;
  if (!to) return null;
  const id = newId('mail');
  const attached = pdf.length <= MAX_ATTACHMENT_BYTES;
  const sender = snapshot.sender ?? EMPTY_SENDER_DETAILS;
  const rendered = await renderSignedCopyEmail({
    locale: signature.locale,
    guest_name: signature.signer_name,
    property_name: snapshot.property.name,
    brand_color: property?.brand_color ?? null,
    logo_url: property?.logo_url ?? null,
    sender,
    checkin_date: snapshot.reservation.checkin_date,
    checkout_date: snapshot.reservation.checkout_date,
    copy_url: buildGuestCertificateCopyUrl(signature.id),
    attached,
    livemode: scope.mode === 'live',
  });
  return {
    queue: () =>
      queueMail(scope, {
        ...rendered,
        id,
        template: 'signed_copy',
        to,
        reservation_id: signature.reservation_id,
        reply_to: getGuestMailReplyToAddress({ reply_to_email: property?.reply_to_email ?? null }, sender),
        ...(attached && { attachment: signature.id }),
      }),
    item: {
      type: 'certificate.copy_sent',
      data: { certificate_id: signature.id, mail_id: id, kind: 'signed_copy', to, attached },
    },
  };
}

/**
 * Returns the attachments of a mail: the sealed PDF, and the proof that it is in the public log.
 * The proof contains a checkpoint, with which the guest can detect that the log was rewritten.
 * Returns null when the PDF was redacted or the guest's copy was revoked.
 */
export const loadCertificateAttachments: MailAttachmentLoader = async ({ team_id, mode, attachment }) => {
  if (!team_id || !mode) return null;
  const scope = createSystemScope(team_id, mode, 'mail');
  const head = await repository.findSignatureWithoutLargeColumns(scope, attachment);
  const content = head && (await readSealedPdfIfPermitted('guest', scope, attachment));
  if (!content) return null;
  const filename = buildCertificateFileName(head, await repository.findProperty(scope, head.property_id));
  const proof = await buildLogInclusionProof(scope, sha256Hex(content));
  return [
    { filename, content },
    ...(proof ? [{ filename: PROOF_FILE, content: Buffer.from(renderInclusionProofFile(proof)) }] : []),
  ];
};
