/**
 * Serves `/verify/<verify_token>`: the facts for anyone with the token, and the PDF for holders of
 * a short-lived link.
 */
import { formatTrustedSealingCertificatesPem } from '@/modules/certificates/seal/installation-key';
import { PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES } from '@/modules/certificates/verify/evidence.rules';
import { readSealedEvidence } from '@/modules/certificates/verify/sealed-evidence';
import {
  type CertificateVerificationResult,
  findPropertyOfCertificate,
  findSignatureByVerifyToken,
  lookUpCertificateInPublicLog,
} from '@/modules/certificates/verify/verification';
import { isValidExpiringLink } from '@/modules/links/expiring-links';
import { PUBLIC_LOG_URL_PATH } from '@/modules/public-log/log-key';
import { renderInclusionProofFile } from '@/modules/public-log/rules/checkpoint';
import { toPropertyBrandView } from '@/modules/signing/display';
import { maskGuestName } from '@/shared/guest-text/mask';
import { renderVerifyPage } from '../../pages/verify';
import type { VerifyPageModel } from '../../view-models';
import {
  choosePageLocale,
  createHtmlResponse,
  createUnknownCertificateResponse,
  createUnusableGuestLinkResponse,
} from '../respond';
import { getBrandAtSigning } from './copy';
import { createPdfResponse } from './pdf';

export async function handleVerifyPageRequest(request: Request, token: string): Promise<Response> {
  const locale = choosePageLocale(request);
  const path = `/verify/${token}`;
  const holder = await findSignatureByVerifyToken(token);
  if (!holder) return createUnknownCertificateResponse({ locale, path });
  const { head, snapshot: signed, checks } = await readSealedEvidence(holder);
  const { content, chain, seal, log, differences } = checks;
  const property = await findPropertyOfCertificate(holder);
  const redacted = head.redacted_at !== null;
  const brand = signed ? getBrandAtSigning(signed, property) : property && toPropertyBrandView(property);
  return createHtmlResponse(
    await renderVerifyPage({
      locale,
      path,
      test_mode: holder.scope.mode === 'test',
      brand,
      timezone: signed ? signed.property.timezone : (property?.timezone ?? null),
      signed_at: head.signed_at.toISOString(),
      masked_name: redacted ? null : maskGuestName(head.signer_name),
      content_hash: head.content_hash,
      content_state: content,
      differences: differences.filter((column) => !column.startsWith(PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES)),
      chain: chain.ok
        ? { state: 'intact', entries: chain.entries, sealed: checks.sealed?.audit.entries.length ?? null }
        : { state: 'broken', entry: chain.broken_seq },
      seal: sealView(head, seal),
      log:
        log.state === 'included'
          ? {
              state: log.state,
              number: log.proof.leaf_index + 1,
              proof_url: `${path}/inclusion.tlog-proof`,
              checkpoint_url: `${PUBLIC_LOG_URL_PATH}/checkpoint`,
            }
          : { state: log.state },
      redacted_at: head.redacted_at?.toISOString() ?? null,
    }),
    { brand },
  );
}

function sealView(
  head: { sealed_at: Date | null; pdf_sha256: string | null },
  seal: CertificateVerificationResult['seal'],
): VerifyPageModel['seal'] {
  if (seal.state === 'sealed' && head.sealed_at && head.pdf_sha256) {
    const { timestamp, sealer } = seal;
    return {
      state: 'sealed',
      sealed_at: head.sealed_at.toISOString(),
      pdf_sha256: head.pdf_sha256,
      timestamp: timestamp && {
        authority: timestamp.authority,
        time: timestamp.time,
        trust: timestamp.problem ? 'implausible' : timestamp.known ? 'known' : 'unknown',
      },
      sealer,
      pem_url: SEALERS_PATH,
    };
  }
  if (seal.state === 'invalid' || seal.state === 'sealed') return { state: 'invalid', pdf_sha256: head.pdf_sha256 };
  return { state: seal.state };
}

/** The path from which anyone can download the certificates that verification trusts. */
const SEALERS_PATH = '/.well-known/threshold-seal.pem';

/**
 * Returns all certificates with which this installation has sealed files. Responds with 404 when
 * there are none.
 */
export async function handleSealingCertificatesRequest(): Promise<Response> {
  const text = await formatTrustedSealingCertificatesPem();
  if (text === null) return new Response('Nothing was sealed yet.\n', { status: 404 });
  return new Response(text, {
    headers: { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'public, max-age=300' },
  });
}

/**
 * Returns the sealed file to holders of a short-lived link, which an API key or a member creates.
 * The token alone only shows the facts.
 */
export async function handleCertificatePdfRequest(request: Request, token: string): Promise<Response> {
  const page = { locale: choosePageLocale(request), path: `/verify/${token}` };
  const holder = await findSignatureByVerifyToken(token);
  if (!holder) return createUnknownCertificateResponse(page);
  if (holder.head.redacted_at) return createUnusableGuestLinkResponse('copy_redacted', page);
  if (!isValidExpiringLink('certificate-pdf', holder.head.id, new URL(request.url).searchParams))
    return createUnusableGuestLinkResponse('unknown', page);
  return createPdfResponse('team', holder, page);
}

/**
 * Returns a file that proves that the sealed PDF is in the public log. Other software can verify
 * this proof. It stays available after redaction.
 */
export async function handleInclusionProofRequest(request: Request, token: string): Promise<Response> {
  const holder = await findSignatureByVerifyToken(token);
  const log = holder && (await lookUpCertificateInPublicLog(holder.scope, holder.head));
  if (log?.state !== 'included')
    return createUnusableGuestLinkResponse('unknown', { locale: choosePageLocale(request), path: `/verify/${token}` });
  return new Response(renderInclusionProofFile(log.proof), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Robots-Tag': 'noindex, nofollow' },
  });
}
