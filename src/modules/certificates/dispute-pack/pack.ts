/**
 * The dispute pack: a ZIP with a host's evidence against a chargeback or a claim, generated during
 * the download. Its values come from the certificate's sealed file. The pack lists stored values
 * that differ from the sealed file, and files that were lost or damaged. After a redaction it
 * contains only the data that was kept.
 */

import { config } from '@/config';
import { createZipStream, type ZipInputFile } from '@/infra/zip';
import { buildExpiringLinkUrlParameters, isValidExpiringLink } from '@/modules/links/expiring-links';
import { buildCertificateVerifyUrl } from '@/modules/links/urls';
import { listReservationMailLog } from '@/modules/mail/outbox';
import { findReservationForTransition } from '@/modules/reservations/save-transition';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { readSealedPdfIfPermitted } from '../entitlement';
import { awaitFileOrGoneIfLostOrDamaged, readCertificatePhoto } from '../files/read';
import { loadHostOnlyCertificateFields } from '../host.service';
import { getCertificateRenderPool } from '../render';
import { loadInstallationSealingKey } from '../seal/installation-key';
import { serializeCertificate } from '../serializer';
import { assertCertificateSealed, retrieveCertificateWithoutTrail, serializeCertificateEvidence } from '../service';
import type { EvidenceReadResult } from '../verify/sealed-evidence';
import {
  buildDisputeSummary,
  type DisputePackData,
  type DisputePackMail,
  type DisputePackSummary,
  describeEvidenceProblem,
} from './summary';

/**
 * Returns a link to the pack. Throws resource_missing when there is no certificate or its PDF is
 * still being sealed.
 */
export async function buildDisputePackUrlOfSealedCertificate(
  scope: Scope,
  id: string,
  photo: boolean,
): Promise<string> {
  const head = await retrieveCertificateWithoutTrail(scope, id);
  if (!head.redacted_at) assertCertificateSealed(head);
  return buildExpiringDisputePackUrl(head.id, photo);
}

/** Yields the archive's bytes. */
export const streamDisputePack = (reading: EvidenceReadResult, photo: boolean): AsyncGenerator<Uint8Array> =>
  createZipStream(packFiles(reading, photo), clock().now());

/** Returns the data for the pack's `mail-log.json`, `audit.json` and `summary.pdf`. */
export async function buildDisputePackContents(reading: EvidenceReadResult) {
  const mails = await mailsOf(reading);
  return {
    mails,
    audit: serializeCertificateEvidence(reading),
    summary: buildDisputeSummary(await packFacts(reading, mails)),
  };
}

async function* packFiles(reading: EvidenceReadResult, with_photo: boolean): AsyncGenerator<ZipInputFile> {
  const { scope, head, trail } = reading;
  const { mails, audit, summary } = await buildDisputePackContents(reading);
  const pdf = await awaitFileOrGoneIfLostOrDamaged(readSealedPdfIfPermitted('team', scope, head.id));
  const photo = with_photo ? await awaitFileOrGoneIfLostOrDamaged(readCertificatePhoto(scope, head.id)) : null;
  const gone = [...(pdf === 'gone' ? ['certificate.pdf'] : []), ...(photo === 'gone' ? ['photo.jpg'] : [])];
  const files: ZipInputFile[] = [
    ...(pdf && pdf !== 'gone' ? [{ name: 'certificate.pdf', bytes: pdf, compress: false }] : []),
    json('audit.json', audit),
    json('mail-log.json', mails),
    json('accesses.json', trail.filter(({ type }) => ACCESSES.has(type)).map(accessOf)),
    ...(photo && photo !== 'gone' ? [{ name: 'photo.jpg', bytes: photo, compress: false }] : []),
    ...(gone.length > 0 ? [text('without-file.txt', `Lost or damaged:\n\n${gone.join('\n')}\n`)] : []),
  ];
  yield text('README.txt', renderDisputePackReadme(reading, ['summary.pdf', ...files.map(({ name }) => name)]));
  yield { name: 'summary.pdf', bytes: await sealedSummary(reading, summary), compress: false };
  yield* files;
}

/**
 * Seals the summary with the key that seals certificates. Requests no timestamp, so that a download
 * does not wait for the time-stamping authority.
 */
async function sealedSummary({ head }: EvidenceReadResult, summary: DisputePackSummary): Promise<Uint8Array> {
  return getCertificateRenderPool().summary(summary, {
    sealing_key: await loadInstallationSealingKey(),
    location: new URL(buildCertificateVerifyUrl(head.id)).host,
    signed_at: clock().now().toISOString(),
  });
}

const text = (name: string, content: string): ZipInputFile => ({
  name,
  bytes: Buffer.from(content, 'utf8'),
  compress: true,
});
const json = (name: string, value: unknown) => text(name, `${JSON.stringify(value, null, 2)}\n`);

/**
 * The types of trail entries that record a guest's visit to the packet, the arrival details or the
 * guest's copy of the certificate.
 */
const ACCESSES = new Set([
  'reservation.opened',
  'reservation.clicked',
  'reservation.arrival_details_viewed',
  'copy.opened',
]);
const accessOf = ({ seq, type, created_at, ip, user_agent }: ChainedTrailEntry) => ({
  seq,
  type,
  created_at,
  ip,
  user_agent,
});

async function packFacts(reading: EvidenceReadResult, mails: DisputePackMail[]): Promise<DisputePackData> {
  const { scope, head, status, altered, snapshot, trail, sealed_trail, facts, checks } = reading;
  const loaded = await findReservationForTransition(scope, head.reservation_id);
  const photo_sha256 = facts?.photo_sha256;
  const stored = await loadHostOnlyCertificateFields(reading);
  return {
    certificate: {
      ...serializeCertificate(head),
      ...stored,
      has_photo: photo_sha256 === undefined ? stored.has_photo : photo_sha256 !== null,
    },
    evidence: { status, altered },
    livemode: scope.mode === 'live',
    snapshot,
    entries: trail,
    sealed_entries: sealed_trail,
    mails,
    log_number: checks.log.state === 'included' ? checks.log.proof.leaf_index + 1 : null,
    booking: loaded && {
      channel: loaded.row.external_source ?? loaded.row.source,
      checkin_date: convertDatabaseDateToIsoDay(loaded.row.checkin_date),
      checkout_date: convertDatabaseDateToIsoDay(loaded.row.checkout_date),
    },
  };
}

/** Returns the mails to the guest, oldest first, with the delivery reports of the mail provider. */
async function mailsOf({ scope, head, trail }: EvidenceReadResult): Promise<DisputePackMail[]> {
  const outcomes = (id: string) =>
    trail
      .filter(({ type, data }) => type.startsWith('mail.') && data.mail_id === id)
      .map(({ type, created_at }) => ({ type, at: created_at }));
  return (await listReservationMailLog(scope, head.reservation_id)).map((mail) => ({
    ...mail,
    outcomes: outcomes(mail.id),
  }));
}

const FILE_DESCRIPTIONS: Record<string, string> = {
  'summary.pdf':
    'one sealed page: who, what was disclosed, when it was accepted, how it was delivered, how the guest was authenticated, use',
  'certificate.pdf': 'the sealed certificate: what was shown and signed, with its audit trail',
  'audit.json':
    'the sealed values and audit trail as the API gives them, what came after the sealing, and the proof of the public log',
  'mail-log.json': 'every mail to the guest with the provider’s id and what became of it (stored here, not sealed)',
  'accesses.json':
    'when the guest opened the mail, the page, the arrival details and the copy (sealed up to the signature)',
  'photo.jpg': 'the photo the guest took at signing; its SHA-256 is in the certificate',
  'without-file.txt': 'the files that were lost or damaged here',
};

export function renderDisputePackReadme(
  { head, status, altered }: EvidenceReadResult,
  names: readonly string[],
): string {
  const warning = describeEvidenceProblem({ status, altered });
  const redacted = head.redacted_at
    ? `\nThe guest's personal data was erased on ${head.redacted_at.toISOString()}, and with it the sealed PDF and the photo. What is here is what remains.\n`
    : '';
  const width = Math.max(...names.map((name) => name.length));
  return `Evidence of certificate ${head.id}, collected ${clock().now().toISOString()}
${warning ? `\n${warning}\n` : ''}${redacted}
${names.map((name) => `${name.padEnd(width)}  ${FILE_DESCRIPTIONS[name]}`).join('\n')}

How to check all of it without us: /docs/certificates
`;
}

/** The path of a pack's download. The link is signed and works for 15 minutes. */
export const DISPUTE_PACK_DOWNLOAD_URL_PATH = '/api/dispute-pack.zip';

const subject = (id: string, photo: boolean) => `${id}/${photo ? 'photo' : ''}`;

/** Returns the pack's link. Only owners may include the guest's photo. */
export function buildExpiringDisputePackUrl(id: string, photo: boolean): string {
  const query = new URLSearchParams({
    certificate: id,
    ...(photo && { photo: '1' }),
    ...buildExpiringLinkUrlParameters('dispute-pack', subject(id, photo)),
  });
  return `${config().app_url}${DISPUTE_PACK_DOWNLOAD_URL_PATH}?${query}`;
}

/** Parses a pack's link. Returns null when it is forged or expired. */
export function parseDisputePackLink(query: URLSearchParams): { id: string; photo: boolean } | null {
  const [id, photo] = [query.get('certificate') ?? '', query.get('photo') === '1'];
  return isValidExpiringLink('dispute-pack', subject(id, photo), query) ? { id, photo } : null;
}
