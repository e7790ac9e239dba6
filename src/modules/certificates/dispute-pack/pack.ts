/**
 * The dispute pack: everything that a host needs against a chargeback or a claim, as a ZIP that is made while it is read. Its
 * values are those of the sealed file, and where stored ones differ it says so. Once redacted it holds what remains, and says
 * so; a file that is lost or damaged is named.
 */
import { type ZipFile, zipStream } from '@/infra/zip';
import { verifyUrl } from '@/modules/links/urls';
import { listMailLog } from '@/modules/mail/outbox';
import { findLoaded } from '@/modules/reservations/save-transition';
import type { ChainedEntry } from '@/modules/trail/chain';
import { dayToText } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { readPdfFor } from '../entitlement';
import { orGone, readPhoto } from '../files/read';
import { factsForHost } from '../host.service';
import { renderSummaryPage } from '../render';
import { installationKey } from '../seal/installation-key';
import { type SignatureHead, serializeCertificate } from '../serializer';
import { assertSealed, retrieveHead, serializeEvidence } from '../service';
import { type EvidenceReading, readSealedEvidence } from '../verify/sealed-evidence';
import { packUrl } from './link';
import { evidenceNotice, type LoggedMail, type PackFacts, type Summary, summaryOf } from './summary';

/** A link to the pack. Throws resource_missing, also while the PDF is being sealed. */
export async function disputePackUrl(scope: Scope, id: string, photo: boolean): Promise<string> {
  const head = await retrieveHead(scope, id);
  if (!head.redacted_at) assertSealed(head);
  return packUrl(head.id, photo);
}

/** The archive's bytes. */
export async function* disputePack(scope: Scope, head: SignatureHead, photo: boolean): AsyncGenerator<Uint8Array> {
  yield* packOf(await readSealedEvidence({ scope, head }, 'name'), photo);
}

/** The same for evidence that was read before. */
export const packOf = (reading: EvidenceReading, photo: boolean): AsyncGenerator<Uint8Array> =>
  zipStream(packFiles(reading, photo), clock().now());

/** What a pack says in words: its first page, its README and the API's answer. */
export async function packWords(reading: EvidenceReading) {
  const mails = await mailsOf(reading);
  return { mails, audit: serializeEvidence(reading), summary: summaryOf(await packFacts(reading, mails)) };
}

async function* packFiles(reading: EvidenceReading, with_photo: boolean): AsyncGenerator<ZipFile> {
  const { scope, head, trail } = reading;
  const { mails, audit, summary } = await packWords(reading);
  const pdf = await orGone(readPdfFor('team', scope, head.id));
  const photo = with_photo ? await orGone(readPhoto(scope, head.id)) : null;
  const gone = [...(pdf === 'gone' ? ['certificate.pdf'] : []), ...(photo === 'gone' ? ['photo.jpg'] : [])];
  const files: ZipFile[] = [
    ...(pdf && pdf !== 'gone' ? [{ name: 'certificate.pdf', bytes: pdf, compress: false }] : []),
    json('audit.json', audit),
    json('mail-log.json', mails),
    json('accesses.json', trail.filter(({ type }) => ACCESSES.has(type)).map(accessOf)),
    ...(photo && photo !== 'gone' ? [{ name: 'photo.jpg', bytes: photo, compress: false }] : []),
    ...(gone.length > 0 ? [text('without-file.txt', `Lost or damaged:\n\n${gone.join('\n')}\n`)] : []),
  ];
  yield text('README.txt', packReadme(reading, ['summary.pdf', ...files.map(({ name }) => name)]));
  yield { name: 'summary.pdf', bytes: await sealedSummary(reading, summary), compress: false };
  yield* files;
}

/** Sealed with the key that seals certificates, without an authority's timestamp: nobody waits for one to download. */
async function sealedSummary({ head }: EvidenceReading, summary: Summary): Promise<Uint8Array> {
  return renderSummaryPage(summary, {
    sealing_key: await installationKey(),
    location: new URL(verifyUrl(head.id)).host,
    signed_at: clock().now().toISOString(),
  });
}

const text = (name: string, content: string): ZipFile => ({
  name,
  bytes: Buffer.from(content, 'utf8'),
  compress: true,
});
const json = (name: string, value: unknown) => text(name, `${JSON.stringify(value, null, 2)}\n`);

/** That the guest was there: before signing, for the arrival details, and for the copy. */
const ACCESSES = new Set([
  'reservation.opened',
  'reservation.clicked',
  'reservation.arrival_details_viewed',
  'copy.opened',
]);
const accessOf = ({ seq, type, created_at, ip, user_agent }: ChainedEntry) => ({
  seq,
  type,
  created_at,
  ip,
  user_agent,
});

async function packFacts(reading: EvidenceReading, mails: LoggedMail[]): Promise<PackFacts> {
  const { scope, head, status, altered, snapshot, trail, sealed_trail, facts, checks } = reading;
  const loaded = await findLoaded(scope, head.reservation_id);
  const photo_sha256 = facts?.photo_sha256;
  const stored = await factsForHost(reading);
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
      checkin_date: dayToText(loaded.row.checkin_date),
      checkout_date: dayToText(loaded.row.checkout_date),
    },
  };
}

/** Mails to the guest, the oldest first, with what the provider told of each. */
async function mailsOf({ scope, head, trail }: EvidenceReading): Promise<LoggedMail[]> {
  const outcomes = (id: string) =>
    trail
      .filter(({ type, data }) => type.startsWith('mail.') && data.mail_id === id)
      .map(({ type, created_at }) => ({ type, at: created_at }));
  return (await listMailLog(scope, head.reservation_id)).map((mail) => ({ ...mail, outcomes: outcomes(mail.id) }));
}

const WHAT: Record<string, string> = {
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

export function packReadme({ head, status, altered }: EvidenceReading, names: readonly string[]): string {
  const warning = evidenceNotice({ status, altered });
  const redacted = head.redacted_at
    ? `\nThe guest's personal data was erased on ${head.redacted_at.toISOString()}, and with it the sealed PDF and the photo. What is here is what remains.\n`
    : '';
  const width = Math.max(...names.map((name) => name.length));
  return `Evidence of certificate ${head.id}, collected ${clock().now().toISOString()}
${warning ? `\n${warning}\n` : ''}${redacted}
${names.map((name) => `${name.padEnd(width)}  ${WHAT[name]}`).join('\n')}

How to check all of it without us: /docs/certificates
`;
}
