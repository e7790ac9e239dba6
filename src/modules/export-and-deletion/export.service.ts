/**
 * Exports all of a team's data as a ZIP of JSON files, sealed PDFs, photos and forwarded mails. The
 * ZIP is generated during the download, one page of rows or one file at a time. Memory use does not
 * grow with the team's data, and nothing is written to disk.
 */
import { getAppSecret } from '@/config';
import { inTransaction } from '@/infra/db/transaction';
import { deriveTokenFromMasterSecret, isEqualInConstantTime } from '@/infra/encryption';
import { createZipStream, type ZipInputFile } from '@/infra/zip';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { readSealedPdfIfPermitted } from '@/modules/certificates/entitlement';
import {
  awaitFileOrGoneIfLostOrDamaged,
  decryptStoredFile,
  readCertificatePhoto,
} from '@/modules/certificates/files/read';
import { MAIL_ENCRYPTION_PURPOSE } from '@/modules/forwarded-mail/receive';
import { decryptFeedUrl } from '@/modules/sync-sources/serializer';
import { clock } from '@/shared/clock';
import type { Mode, Scope } from '@/shared/scope';
import * as repository from './export.repository';
import { AUDIT_LOG_TABLE, EXPORTED_TABLES, type ExportedPrismaModel } from './export.tables';
import { splitIntoJsonParts } from './json-parts';

/** The lifetime of an export link. A download must begin within this time. */
export const EXPORT_LINK_LIFETIME_MS = 15 * 60_000;

const signature = (team_id: string, user_id: string, expires: number) =>
  deriveTokenFromMasterSecret(getAppSecret(), 'team-export', `${team_id}/${user_id}`, expires);

/** Returns an export link for this owner's session. */
export async function createExportLink(scope: Scope, user_id: string): Promise<{ url: string; expires_at: string }> {
  const expires = clock().now().getTime() + EXPORT_LINK_LIFETIME_MS;
  await inTransaction(scope, () => recordAuditEntry(scope, { action: 'data.export_requested' }));
  const query = new URLSearchParams({
    team: scope.team_id,
    mode: scope.mode,
    expires: String(expires),
    signature: signature(scope.team_id, user_id, expires),
  });
  return { url: `/api/export.zip?${query}`, expires_at: new Date(expires).toISOString() };
}

/** Returns whether the link's parameters are valid for this owner of this team. */
export function isValidExportLink(team_id: string, user_id: string, query: Record<string, string>): boolean {
  const expires = Number(query.expires);
  if (!Number.isSafeInteger(expires) || expires <= clock().now().getTime()) return false;
  return isEqualInConstantTime(query.signature ?? '', signature(team_id, user_id, expires));
}

/** Yields the archive's bytes. Writes the audit entry first, so that the archive contains it. */
export async function* streamExportArchive(scope: Scope): AsyncGenerator<Uint8Array> {
  await inTransaction(scope, () => recordAuditEntry(scope, { action: 'data.exported' }));
  yield* createZipStream(exportFiles(scope), clock().now());
}

async function* exportFiles(scope: Scope): AsyncGenerator<ZipInputFile> {
  const exported_at = clock().now().toISOString();
  const team = await repository.readTeamDataForExport(scope.team_id);
  yield textFile('README.txt', EXPORT_README);
  yield textFile('team.json', `${JSON.stringify(team, null, 2)}\n`);
  const rows: Record<string, number> = {};
  yield* tableFiles('audit_log', repository.readTableRowsForExport(scope, 'auditLog', AUDIT_LOG_TABLE), rows);
  const gone: string[] = [];
  for (const mode of ['live', 'test'] as const) yield* modeFiles({ ...scope, mode }, mode, rows, gone);
  if (gone.length > 0) yield textFile('without-file.txt', `Lost or damaged:\n\n${gone.join('\n')}\n`);
  yield textFile('contents.json', `${JSON.stringify({ team: team.id, exported_at, rows }, null, 2)}\n`);
}

async function* modeFiles(
  scope: Scope,
  mode: Mode,
  rows: Record<string, number>,
  gone: string[],
): AsyncGenerator<ZipInputFile> {
  for (const [model, table] of Object.entries(EXPORTED_TABLES)) {
    if (!table) continue;
    const source = repository.readTableRowsForExport(scope, model as ExportedPrismaModel, table);
    yield* tableFiles(`${mode}/${table.file}`, model === 'syncSource' ? withFeedUrls(source) : source, rows);
  }
  for await (const id of each((after) => repository.listIdsOfCertificatesWithFile(scope, after))) {
    yield* storedFile(`${mode}/certificates/${id}.pdf`, readSealedPdfIfPermitted('team', scope, id), gone);
    yield* storedFile(`${mode}/certificates/${id}-photo.jpg`, readCertificatePhoto(scope, id), gone);
  }
  for await (const id of each((after) => repository.listIdsOfForwardedMailsWithFile(scope, after)))
    yield* storedFile(`${mode}/inbound_mails/${id}.eml`, readMail(scope, id), gone);
}

/** Yields a stored file if it exists. Adds the name of a missing file to `gone` and continues. */
async function* storedFile(
  name: string,
  read: Promise<Uint8Array | null>,
  gone: string[],
): AsyncGenerator<ZipInputFile> {
  const bytes = await awaitFileOrGoneIfLostOrDamaged(read);
  if (bytes === 'gone') gone.push(name);
  else if (bytes) yield { name, bytes, compress: name.endsWith('.eml') };
}

async function readMail(scope: Scope, id: string): Promise<Uint8Array | null> {
  const mail = await repository.findForwardedMailFile(scope, id);
  return mail?.raw ? decryptStoredFile(MAIL_ENCRYPTION_PURPOSE, mail.raw) : null;
}

/** Decrypts the URLs of the host's calendars. */
async function* withFeedUrls(
  rows: AsyncIterable<repository.ExportedTableRow>,
): AsyncGenerator<repository.ExportedTableRow> {
  for await (const row of rows) yield { ...row, feed_url: decryptFeedUrl(row as { feed_url: string | null }) };
}

/** Yields a table as files of limited size: `name.json`, then `name-2.json` and so on. */
async function* tableFiles(
  name: string,
  source: AsyncIterable<repository.ExportedTableRow>,
  rows: Record<string, number>,
): AsyncGenerator<ZipInputFile> {
  rows[name] = 0;
  let part = 0;
  for await (const { text, count } of splitIntoJsonParts(source)) {
    part++;
    rows[name] += count;
    yield textFile(part === 1 ? `${name}.json` : `${name}-${part}.json`, text);
  }
}

const textFile = (name: string, text: string): ZipInputFile => ({
  name,
  bytes: Buffer.from(text, 'utf8'),
  compress: true,
});

async function* each(pageAfter: (after: string) => Promise<string[]>): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const ids = await pageAfter(after);
    yield* ids;
    const last = ids.at(-1);
    if (!last) return;
    after = last;
  }
}

/** The README file of an export. */
export const EXPORT_README = `Everything that the service keeps of your team, as it was when you downloaded it.

team.json        the team and what it tells guests of itself, its members, and whom it invited
audit_log.json   who did what, when and from where, in both modes
live/, test/     the data of the two modes:

  properties, packets, packet_revisions      what you wrote; test_clocks in test mode
  reservations, trail_entries, snapshots     the stays, what happened to each, what each guest was shown
  certificates                               the signatures; certificates/<id>.pdf is the sealed PDF and
                                             certificates/<id>-photo.jpg the guest's photo, where there is one
  sync_sources, sync_runs, inbound_mails     calendars, their runs, forwarded mails (and <id>.eml while it is kept)
  mail_messages, sms_messages                what was sent to guests
  webhook_endpoints, webhook_deliveries, events, api_keys, request_logs

without-file.txt the files that were lost or damaged, where there are any
contents.json    how many rows each has. If it is missing, the download broke off: take it again.

Every .json file is an array with a row a line; a long table goes on in name-2.json, name-3.json and so on. Times are UTC.
Not in here: passwords, keys, secrets and the hashes of links, since an export is not a way in. The mails do hold the
links that guests were sent, and some of those may still work, and sync_sources the addresses of your calendars: keep
this archive as you would keep the guests' data.
A sealed PDF can be verified without the service: it contains its evidence and a signature over all of it.
`;
