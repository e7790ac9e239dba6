/**
 * Tries every way to a certificate's sealed PDF in every state. All code must use the access rules
 * of modules/certificates/entitlement.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { streamCertificateArchive } from '@/modules/certificates/batch/batch';

import {
  redactCertificate,
  setGuestCertificateCopyRevoked,
  setLegalHold,
} from '@/modules/certificates/privacy/service';
import { loadCertificateAttachments } from '@/modules/certificates/seal/copy-mail';
import { createCertificateDownloadUrl, retrieveCertificateWithoutTrail } from '@/modules/certificates/service';
import { insertSealedCertificate, streamTestDisputePack } from '@/modules/certificates/testing/signed';
import { streamExportArchive } from '@/modules/export-and-deletion/export.service';
import { deriveCertificateVerifyToken, deriveLinkToken } from '@/modules/links/urls';
import { retrieveGuestLinks } from '@/modules/reservations/service';
import { deliverDueEventsToEndpoint, stopDeliveryAttemptsOfProcess } from '@/modules/webhooks/delivery/delivery';
import { createSharedDeliveriesLink } from '@/modules/webhooks/portal/portal';
import { createEndpoint } from '@/modules/webhooks/service';
import { handleSharedDeliveriesPage } from '@/portal/http';
import { clock, setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { startRawHttpReceiver } from '@/testing/raw-receiver';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';
import { unpackZip } from '@/testing/unzip';
import { findGuestPageRoute } from '../serve';

let scope: Scope;
let made: Awaited<ReturnType<typeof insertSealedCertificate>>;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  made = await insertSealedCertificate(scope);
});
afterEach(() => setClock(null));

/** Requests a guest page's URL as a browser without a session does. */
async function open(url: string): Promise<Response> {
  const { pathname, search } = new URL(url, 'http://localhost');
  const page = findGuestPageRoute(pathname + search);
  const handle = page?.methods.GET;
  if (!page || !handle) return new Response(null, { status: 404 });
  return handle(new Request(new URL(pathname + search, 'http://localhost')), page.token);
}
const isPdf = async (response: Response) => (await response.text()).startsWith('%PDF');
const gives = async (url: string) => isPdf(await open(url));

/** Follows a page's links recursively. Returns whether any of the URLs returned the PDF. */
async function leadsToPdf(url: string, seen = new Set<string>()): Promise<boolean> {
  const { pathname, search } = new URL(url, 'http://localhost');
  if (seen.has(pathname) || !findGuestPageRoute(pathname)) return false;
  seen.add(pathname);
  const text = await (await open(pathname + search)).text();
  if (text.startsWith('%PDF')) return true;
  for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g))
    if (!link.startsWith('data:') && (await leadsToPdf(link.replaceAll('&amp;', '&'), seen))) return true;
  return false;
}

const namesOf = async (parts: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  return [...unpackZip(Buffer.concat(chunks)).keys()];
};
const orRefused = (url: Promise<string>) => url.then(gives, () => false);

/** Ways to get the PDF. Each function returns whether it currently gets the PDF. */
const PDF_ROUTES = {
  'the signing page': async () => {
    const { token_generation } = await systemDb().reservation.findUniqueOrThrow({ where: { id: made.reservation_id } });
    return leadsToPdf(`/sign/${deriveLinkToken('signing', made.reservation_id, token_generation)}?lang=en`);
  },
  'the copy page': () => leadsToPdf(`/c/${deriveLinkToken('copy', made.signature_id)}`),
  'the file under the copy link': () => gives(`/c/${deriveLinkToken('copy', made.signature_id)}/certificate.pdf`),
  'the mailed copy': async () => {
    const mail = { team_id: scope.team_id, mode: scope.mode, attachment: made.signature_id };
    return (await loadCertificateAttachments(mail as never)) !== null;
  },
  'the verification page': () => leadsToPdf(`/verify/${deriveCertificateVerifyToken(made.signature_id)}`),
  'the file under the verify token': () =>
    gives(`/verify/${deriveCertificateVerifyToken(made.signature_id)}/certificate.pdf`),
  'a download that a key asked for': () => orRefused(createCertificateDownloadUrl(scope, made.signature_id)),
  'the dispute pack': async () =>
    (
      await namesOf(streamTestDisputePack(scope, await retrieveCertificateWithoutTrail(scope, made.signature_id), true))
    ).includes('certificate.pdf'),
  'the dashboard’s ZIP': async () =>
    (await namesOf(streamCertificateArchive(scope, { ids: [made.signature_id] } as never))).some((name) =>
      name.endsWith('.pdf'),
    ),
  'the export': async () =>
    (await namesOf(streamExportArchive(scope))).includes(`live/certificates/${made.signature_id}.pdf`),
} satisfies Record<string, () => Promise<boolean>>;
type Door = keyof typeof PDF_ROUTES;

const OF_GUESTS: readonly Door[] = [
  'the signing page',
  'the copy page',
  'the file under the copy link',
  'the mailed copy',
];
const OF_TEAM: readonly Door[] = [
  'a download that a key asked for',
  'the dispute pack',
  'the dashboard’s ZIP',
  'the export',
];

const STATES: Record<string, { reach: () => Promise<unknown>; open: readonly Door[] }> = {
  signed: { reach: async () => {}, open: [...OF_GUESTS, ...OF_TEAM] },
  'not sealed yet': {
    reach: () =>
      systemDb().signature.update({
        where: { id: made.signature_id },
        data: { sealed_at: null, pdf: null, pdf_sha256: null },
      }),
    open: [],
  },
  'copy revoked': { reach: () => setGuestCertificateCopyRevoked(scope, made.signature_id, true), open: OF_TEAM },
  'copy restored': {
    reach: async () => {
      await setGuestCertificateCopyRevoked(scope, made.signature_id, true);
      await setGuestCertificateCopyRevoked(scope, made.signature_id, false);
    },
    open: [...OF_GUESTS, ...OF_TEAM],
  },
  'under legal hold': {
    reach: () => setLegalHold(scope, made.signature_id, true),
    open: [...OF_GUESTS, ...OF_TEAM],
  },
  'under legal hold, copy revoked': {
    reach: async () => {
      await setLegalHold(scope, made.signature_id, true);
      await setGuestCertificateCopyRevoked(scope, made.signature_id, true);
    },
    open: OF_TEAM,
  },
  redacted: { reach: () => redactCertificate(scope, made.signature_id), open: [] },
};

describe.each(selectSampledCases(Object.entries(STATES)))(
  'a certificate (%s)',
  MATRIX_TEST_OPTIONS,
  (_state, { reach, open: expected }) => {
    it('serves its PDF only in the ways that this state allows', async () => {
      await reach();
      const opened: string[] = [];
      for (const [route, tryRoute] of Object.entries(PDF_ROUTES)) if (await tryRoute()) opened.push(route);
      expect(opened.sort()).toEqual([...expected].sort());
    });
  },
);

it('a revocation disables the guest’s earlier URL of the PDF, and a redaction also an API key’s', async () => {
  const text = await (await open(`/c/${deriveLinkToken('copy', made.signature_id)}`)).text();
  const on_page = /href="([^"]+certificate\.pdf[^"]*)"/.exec(text)?.[1] ?? '';
  const of_key = await createCertificateDownloadUrl(scope, made.signature_id);
  expect([await gives(on_page), await gives(of_key)]).toEqual([true, true]);
  await setGuestCertificateCopyRevoked(scope, made.signature_id, true);
  expect([await gives(on_page), await gives(of_key)]).toEqual([false, true]);
  expect((await open(on_page)).status).toBe(410);
  await redactCertificate(scope, made.signature_id);
  expect([(await open(on_page)).status, (await open(of_key)).status]).toEqual([410, 410]);
});

it('an API key’s download URL uses the verify token, and works for 15 minutes and its certificate only', async () => {
  const other = await insertSealedCertificate(scope);
  const time = installFakeClock(clock().now().toISOString());
  const url = await createCertificateDownloadUrl(scope, made.signature_id);
  expect(new URL(url).pathname).toBe(`/verify/${deriveCertificateVerifyToken(made.signature_id)}/certificate.pdf`);
  expect(
    await gives(
      url.replace(deriveCertificateVerifyToken(made.signature_id), deriveCertificateVerifyToken(other.signature_id)),
    ),
  ).toBe(false);
  expect(await gives(url.replace(/expires=\d+/, `expires=${clock().now().getTime() + 1e9}`))).toBe(false);
  time.advance(15 * 60_000 - 1);
  expect(await gives(url)).toBe(true);
  time.advance(1);
  expect((await open(url)).status).toBe(404);
});

it('an endpoint’s shared page contains no link to a file, a certificate page or a guest’s page', async () => {
  const receiver = await startRawHttpReceiver();
  try {
    const endpoint = await createEndpoint(scope, { url: receiver.url, events: ['*'] });
    const second = await insertSealedCertificate(scope);
    await relayEventBatch(async () => {});
    await deliverDueEventsToEndpoint(endpoint.row.id, { attempts: 1_000, ms: 5_000, linger_ms: 0 });
    const { url } = await createSharedDeliveriesLink(scope, endpoint.row.id, 7);
    const shown = await (await handleSharedDeliveriesPage(new Request(url), url.split('/').at(-1) ?? '')).text();
    expect(shown).toContain('certificate.created');
    const { signingUrl, copyUrl } = await retrieveGuestLinks(scope, second.reservation_id);
    const secrets = [
      deriveCertificateVerifyToken(second.signature_id),
      signingUrl,
      copyUrl,
      deriveLinkToken('copy', second.signature_id),
    ];
    for (const secret of secrets) if (secret) expect(shown).not.toContain(secret);
  } finally {
    await stopDeliveryAttemptsOfProcess();
    await receiver.close();
  }
});

it('only code that checks access, redacts or verifies reads the sealed PDF', () => {
  const root = path.resolve('src');
  const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => /\breadSealedPdf\b/.test(readFileSync(path.join(root, file), 'utf8')))
    .map((file) => `src/${file}`)
    .sort();
  expect(readers).toEqual([
    'src/modules/certificates/entitlement.ts',
    'src/modules/certificates/files/read.ts',
    // These files compare the PDF with the stored data, but never return it.
    'src/modules/certificates/privacy/service.ts',
    'src/modules/certificates/verify/file.ts',
    'src/modules/certificates/verify/verification.ts',
  ]);
});
