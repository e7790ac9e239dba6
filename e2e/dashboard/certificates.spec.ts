import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, test } from '@playwright/test';
import { makeCertificate } from './certificate';
import {
  type CreatedTeamOwner,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  expectPageLoaded,
  setLiveOrTestMode,
  signIn,
  signUpInvitedMemberInNewBrowser,
} from './support';

let owner: CreatedTeamOwner;
/** The id of Ada Lovelace's certificate, which every test except the one for redaction uses. */
let id: string;
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await createTeamWithOwner();
  const page = await browser.newPage();
  await signIn(page, owner);
  await setLiveOrTestMode(page, baseURL, 'test');
  id = await makeCertificate(page, 'Ada Lovelace');
  cookies = await page.context().cookies();
  await page.close();
});
test.beforeEach(({ page }) => page.context().addCookies(cookies));

test('a certificate shows its PDF, its checks and its audit trail, and both files can be downloaded', {
  tag: '@smoke',
}, async ({ page }) => {
  await page.goto('/certificates');
  await expect(page.getByRole('cell', { name: 'Harbour Loft' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada Lovelace');
  await expect(page.getByText('Sealed', { exact: true }).first()).toBeVisible();
  const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  await expect(checks).toHaveCount(4);
  for (const check of await checks.all()) await expect(check).toContainText('Valid');
  const trail = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem');
  await expect(trail.filter({ hasText: 'Signed' })).toContainText('by the guest · 127.0.0.1');
  await expect(page.getByTitle('The sealed PDF')).toHaveAttribute('src', /\/api\/certificate\.pdf\?/);

  const [audit] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Audit JSON' }).click(),
  ]);
  const saved = JSON.parse(await readFile(await audit.path(), 'utf8'));
  expect(saved).toMatchObject({ id, audit_trail: { content_hash: saved.content_hash } });
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).click(),
  ]);
  expect(pdf.suggestedFilename()).toMatch(/^\d{4}-\d{2}-\d{2} .+, .+\.pdf$/);
  expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');
  const [pack] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Dispute pack' }).click(),
  ]);
  expect(pack.suggestedFilename()).toMatch(/^Dispute Harbour Loft \d{4}-\d{2}-\d{2} Lovelace\.zip$/);
  expect((await readFile(await pack.path())).subarray(0, 2).toString()).toBe('PK');
});

test('redaction is blocked by a legal hold, else needs typed confirmation and removes the download', async ({
  page,
}) => {
  const id = await makeCertificate(page, 'Grace Hopper');
  await page.goto(`/certificates/${id}`);
  const hold = page.getByRole('switch', { name: 'Place on legal hold' });
  await hold.click();
  await expect(page.getByText('Placed on legal hold.')).toBeVisible();
  await expect(hold).toBeChecked();
  const redact = page.getByRole('button', { name: 'Redact the guest’s data' });
  await expect(redact).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('The certificate is under legal hold. Lift the hold first.')).toBeVisible();
  const refused = await page.request.post('/api/trpc/certificates.redact', {
    headers: { 'x-threshold-mode': 'test' },
    data: { id, confirm: 'redact' },
  });
  expect(refused.status()).toBe(409);
  expect(await refused.text()).toContain('legal_hold');

  await hold.click();
  await expect(page.getByText('Legal hold lifted.')).toBeVisible();
  await redact.click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Redact permanently' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Type redact to confirm').fill('redact');
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Redacted guest');
  await expect(page.getByText('The guest’s data was redacted').first()).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Grace Hopper');
  await expect(page.getByRole('button', { name: 'Download PDF' })).toHaveAttribute('aria-disabled', 'true');
  const { verify_url } = await callTrpcQuery<{ verify_url: string }>(page, 'test', 'certificates.retrieve', { id });
  expect((await page.request.get(`${new URL(verify_url).pathname}/certificate.pdf`)).status()).toBe(410);
});

test('a member sees the certificate, but can neither hold nor redact it', async ({ page, browser, baseURL }) => {
  const member = await signUpInvitedMemberInNewBrowser(page, browser, owner, baseURL);
  await member.goto(`/certificates/${id}`);
  await expect(member.getByRole('heading', { level: 1 })).toHaveText('Ada Lovelace');
  await expect(member.getByRole('switch', { name: 'Place on legal hold' })).toBeDisabled();
  await expect(member.getByRole('button', { name: 'Redact the guest’s data' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  for (const [path, input] of [
    ['certificates.set_legal_hold', { id, legal_hold: true }],
    ['certificates.redact', { id, confirm: 'redact' }],
    ['certificates.set_copy_revoked', { id, revoked: true }],
  ] as const) {
    const refused = await member.request.post(`/api/trpc/${path}`, {
      headers: { 'x-threshold-mode': 'test' },
      data: input,
    });
    expect(refused.status(), path).toBe(403);
  }
  const photo = await member.request.get(
    `/api/trpc/certificates.photo?input=${encodeURIComponent(JSON.stringify({ id }))}`,
    {
      headers: { 'x-threshold-mode': 'test' },
    },
  );
  expect(photo.status()).toBe(403);
  await member.context().close();
});

test('the link to the guest’s copy can be turned off and on again', async ({ page }) => {
  await page.goto(`/certificates/${id}`);
  const { copy } = await callTrpcQuery<{ copy: { url: string } }>(page, 'test', 'certificates.retrieve', { id });
  const path = new URL(copy.url).pathname;
  expect((await page.request.get(path)).status()).toBe(200);
  const works = page.getByRole('switch', { name: 'Link is active' });
  await works.click();
  await expect(works).not.toBeChecked();
  await expect.poll(async () => (await page.request.get(path)).status()).toBe(410);
  await works.click();
  await expect.poll(async () => (await page.request.get(path)).status()).toBe(200);
});

test('the certificate pages are accessible and fit a phone', async ({ page }) => {
  for (const path of ['/certificates', `/certificates/${id}`, '/certificates/sig_00000000000000000000000000']) {
    await page.goto(path);
    await expectPageLoaded(page);
    if (path.endsWith(id)) await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible();
    await expectAccessibleOnAllDevices(page);
  }
});
