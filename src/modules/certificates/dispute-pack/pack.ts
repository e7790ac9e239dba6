/**
 * The dispute pack: everything that a host needs against a chargeback or a claim, as a ZIP that is made while it is read. Once
 * redacted it holds what remains, and says so; a file that is lost or damaged is named.
 */
import { type ZipFile, zipStream } from '@/infra/zip';
import { listMailLog } from '@/modules/mail/outbox';
import { findLoaded } from '@/modules/reservations/save-transition';
import { snapshotSchema } from '@/modules/snapshot/snapshot';
import type { ChainedEntry } from '@/modules/trail/chain';
import { dayToText } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { readPdfFor } from '../entitlement';
import { orGone, readPhoto } from '../files/read';
import { factsForHost } from '../host.service';
import { renderSummaryPage } from '../render';
import type { SignatureHead } from '../serializer';
import { assertSealed, retrieveHead, withTrail } from '../service';
import { packUrl } from './link';
import { type LoggedMail, type PackFacts, summaryOf } from './summary';

/** A link to the pack. Throws resource_missing, also while the PDF is being sealed. */
export async function disputePackUrl(scope: Scope, id: string, photo: boolean): Promise<string> {
  const head = await retrieveHead(scope, id);
  if (!head.redacted_at) assertSealed(head);
  return packUrl(head.id, photo);
}

/** The archive's bytes. */
export const disputePack = (scope: Scope, head: SignatureHead, photo: boolean): AsyncGenerator<Uint8Array> =>
  zipStream(packFiles(scope, head, photo), clock().now());

async function* packFiles(scope: Scope, head: SignatureHead, with_photo: boolean): AsyncGenerator<ZipFile> {
  const certificate = await withTrail(scope, head);
  const { entries } = certificate.audit_trail;
  const mails = await mailsOf(scope, head.reservation_id, entries);
  const pdf = await orGone(readPdfFor('team', scope, head.id));
  const photo = with_photo ? await orGone(readPhoto(scope, head.id)) : null;
  const gone = [...(pdf === 'gone' ? ['certificate.pdf'] : []), ...(photo === 'gone' ? ['photo.jpg'] : [])];
  const files: ZipFile[] = [
    ...(pdf && pdf !== 'gone' ? [{ name: 'certificate.pdf', bytes: pdf, compress: false }] : []),
    json('audit.json', certificate),
    json('mail-log.json', mails),
    json('accesses.json', entries.filter(({ type }) => ACCESSES.has(type)).map(accessOf)),
    ...(photo && photo !== 'gone' ? [{ name: 'photo.jpg', bytes: photo, compress: false }] : []),
    ...(gone.length > 0 ? [text('without-file.txt', `Lost or damaged:\n\n${gone.join('\n')}\n`)] : []),
  ];
  const facts = await packFacts(scope, head, certificate, mails);
  yield text('README.txt', readme(head, ['summary.pdf', ...files.map(({ name }) => name)]));
  yield { name: 'summary.pdf', bytes: await renderSummaryPage(summaryOf(facts)), compress: false };
  yield* files;
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

async function packFacts(
  scope: Scope,
  head: SignatureHead,
  { audit_trail, ...certificate }: Awaited<ReturnType<typeof withTrail>>,
  mails: LoggedMail[],
): Promise<PackFacts> {
  const loaded = await findLoaded(scope, head.reservation_id);
  const proof = audit_trail.log_inclusion;
  return {
    certificate: { ...certificate, ...(await factsForHost(scope, head)) },
    livemode: scope.mode === 'live',
    snapshot: audit_trail.snapshot && snapshotSchema.parse(audit_trail.snapshot),
    entries: audit_trail.entries,
    mails,
    log_number: proof ? proof.leaf_index + 1 : null,
    booking: loaded && {
      external_id: loaded.row.external_id,
      channel: loaded.row.external_source ?? loaded.row.source,
      checkin_date: dayToText(loaded.row.checkin_date),
      checkout_date: dayToText(loaded.row.checkout_date),
    },
  };
}

/** Mails to the guest, the oldest first, with what the provider told of each. */
async function mailsOf(scope: Scope, reservation_id: string, entries: readonly ChainedEntry[]): Promise<LoggedMail[]> {
  const outcomes = (id: string) =>
    entries
      .filter(({ type, data }) => type.startsWith('mail.') && data.mail_id === id)
      .map(({ type, created_at }) => ({ type, at: created_at }));
  return (await listMailLog(scope, reservation_id)).map((mail) => ({ ...mail, outcomes: outcomes(mail.id) }));
}

const WHAT: Record<string, string> = {
  'summary.pdf':
    'one page: who, what was disclosed, when it was accepted, how it was delivered, how the guest was authenticated, use',
  'certificate.pdf': 'the sealed certificate: what was shown and signed, with its audit trail',
  'audit.json':
    'the audit trail as the API gives it, also what came after the sealing, and the proof of the public log',
  'mail-log.json': 'every mail to the guest with the provider’s id and what became of it',
  'accesses.json': 'when the guest opened the mail, the page, the arrival details and the copy',
  'photo.jpg': 'the photo the guest took at signing; its SHA-256 is in the certificate',
  'without-file.txt': 'the files that were lost or damaged here',
};

function readme(head: SignatureHead, names: readonly string[]): string {
  const redacted = head.redacted_at
    ? `\nThe guest's personal data was erased on ${head.redacted_at.toISOString()}, and with it the sealed PDF and the photo. What is here is what remains.\n`
    : '';
  const width = Math.max(...names.map((name) => name.length));
  return `Evidence of certificate ${head.id}, collected ${clock().now().toISOString()}
${redacted}
${names.map((name) => `${name.padEnd(width)}  ${WHAT[name]}`).join('\n')}

How to check all of it without us: /docs/certificates
`;
}
