/**
 * Changing one's own e-mail address: permissions, the effect of the mailed link, and what strangers
 * can learn.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as confirmRoute } from '@/app/api/auth/confirm-email-change/route';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import {
  callDashboardRoute,
  DASHBOARD_TEST_ORIGIN,
  findMailedLink,
  getSignedInUser,
  postToAuthHandler,
  signIn,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { sendAccountMail } from '../mailer';
import { createTeam } from '../service';
import { readSessionContext } from '../session';
import { createPasswordResetLink, handleAuthRequest } from '../sign-in/auth';
import { loadEmailChangeView } from './email-change';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const OTTO = { email: 'otto@example.com', password: 'another long password' };
const NEW = 'olga@casa.example';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(async () => {
  setClock(null);
  setConfig({ resend_api_key: undefined });
  await closeTestDatabase();
});
let olga: Headers;
beforeEach(async () => {
  setClock(null);
  setConfig({ resend_api_key: 're_key' });
  await clearDatabase();
  await createTeam({ name: 'One', owner_email: OWNER.email, owner_password: OWNER.password });
  await createTeam({ name: 'Two', owner_email: OTTO.email, owner_password: OTTO.password });
  olga = await signIn(OWNER.email, OWNER.password);
});

const ask = (email = NEW, password: string | undefined = OWNER.password, by = olga) =>
  callDashboardRoute(by, 'mutation', 'accounts.request_email_change', { email, password });
const token = async () =>
  new URL((await findMailedLink('email_change', '/change-email?')).url).searchParams.get('token') ?? '';
const confirm = (given: unknown, by = olga) =>
  confirmRoute(
    new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth/confirm-email-change`, {
      method: 'POST',
      body: JSON.stringify({ token: given }),
      headers: { 'content-type': 'application/json', cookie: by.get('cookie') ?? '' },
    }),
  );
const pending = async (by = olga) =>
  ((await callDashboardRoute(by, 'query', 'accounts.security')).data as { pending_email: string | null }).pending_email;
const address = async () => (await getSignedInUser(olga)).email;
const mails = async () =>
  (await systemDb().mailMessage.findMany({ orderBy: { id: 'asc' } })).map(({ to, template }) => `${template} ${to}`);

describe('requesting a new address', () => {
  it('mails a link to it and a notice to the old one, shows the pending change, and changes nothing yet', async () => {
    expect((await ask('Olga@Casa.Example')).status).toBe(200);
    expect(await mails()).toEqual([`email_change ${NEW}`, `security_change ${OWNER.email}`]);
    expect([await pending(), await address()]).toEqual([NEW, OWNER.email]);
    const log = await systemDb().auditLog.findMany({ where: { action: 'user.email_change_requested' } });
    expect(log).toMatchObject([{ data: { to: NEW } }]);
  });

  it('requires the password, limits guessing as for sign-in, and allows five requests an hour', async () => {
    for (const password of ['wrong', undefined]) {
      const answer = await callDashboardRoute(olga, 'mutation', 'accounts.request_email_change', {
        email: NEW,
        password,
      });
      expect([answer.status, answer.error?.param]).toEqual([400, 'password']);
    }
    expect(await systemDb().tally.count()).toBeGreaterThan(0);
    expect(await mails()).toEqual([]);
    for (let turn = 0; turn < 5; turn += 1) expect((await ask(`o${turn}@casa.example`)).status).toBe(200);
    expect((await ask('o6@casa.example')).status).toBe(429);
  });

  it('returns the same for another account’s address as for a free one', async () => {
    const free = await ask(NEW);
    const taken = await ask(OTTO.email);
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    expect(await pending()).toBe(OTTO.email);
    expect((await mails()).filter((mail) => mail.startsWith('email_change'))).toEqual([
      `email_change ${NEW}`,
      `email_change ${OTTO.email}`,
    ]);
    const answer = await confirm(await token());
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'ADDRESS_TAKEN' }]);
    expect(await address()).toBe(OWNER.email);
  });

  it('takes the address from an account that never confirmed it', async () => {
    const eve = { name: 'Eve', email: NEW, password: 'one that eve chose' };
    await postToAuthHandler('/sign-up/email', eve);
    expect(await systemDb().user.count({ where: { email: NEW } })).toBe(1);
    await ask();
    expect((await confirm(await token())).status).toBe(200);
    expect(await address()).toBe(NEW);
    expect((await postToAuthHandler('/sign-in/email', eve)).status).toBe(401);
    expect(await systemDb().user.count()).toBe(2);
  });

  it('does not take the address of an unconfirmed account that is in a team', async () => {
    await systemDb().user.updateMany({ where: { email: OTTO.email }, data: { emailVerified: false } });
    await ask(OTTO.email);
    expect((await confirm(await token())).status).toBe(400);
    expect(await systemDb().user.count()).toBe(2);
  });

  it('is refused when mail is not configured, and for the user’s current address', async () => {
    expect((await ask(OWNER.email)).error?.param).toBe('email');
    setConfig({ resend_api_key: undefined });
    expect((await ask()).status).toBe(403);
  });
});

describe('the mailed link', () => {
  it('always leads to a notice to the old address, however many other security mails went there', async () => {
    for (let turn = 0; turn < 30; turn += 1)
      await sendAccountMail({
        ...{ template: 'security_change', to: OWNER.email, subject: 'x' },
        change: turn % 2 === 0 ? 'passkey_added' : 'email_changed',
      });
    await ask();
    await confirm(await token());
    const told = await systemDb().mailMessage.count({
      where: { to: OWNER.email, subject: 'Your email address was changed' },
    });
    expect(told).toBe(16);
    const others = { to: OWNER.email, subject: 'A passkey was added to your account' };
    expect(await systemDb().mailMessage.count({ where: others })).toBe(5);
  });

  it('changes nothing when opened; only a POST in a session of the account changes the address', async () => {
    const elsewhere = await signIn(OWNER.email, OWNER.password);
    const otto = await signIn(OTTO.email, OTTO.password);
    await ask();
    const link = await token();
    expect(await loadEmailChangeView(link, null)).toEqual({ email: NEW, state: 'sign_in' });
    expect(await loadEmailChangeView(link, (await getSignedInUser(otto)).id)).toMatchObject({
      state: 'another_account',
    });
    expect(await loadEmailChangeView(link, (await getSignedInUser(olga)).id)).toMatchObject({ state: 'open' });
    const opened = new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth/confirm-email-change?token=${link}`, {
      headers: olga,
    });
    expect((await handleAuthRequest(opened)).status).toBe(404);
    expect((await confirm(link, new Headers())).status).toBe(401);
    expect((await confirm(link, otto)).status).toBe(400);
    expect(await address()).toBe(OWNER.email);

    expect((await confirm(link)).status).toBe(200);
    expect([await address(), await pending()]).toEqual([NEW, null]);
    expect((await readSessionContext(elsewhere)).signed_in).toBeNull();
    expect((await mails()).at(-1)).toBe(`security_change ${OWNER.email}`);
    expect((await postToAuthHandler('/sign-in/email', OWNER)).status).toBe(401);
    expect((await getSignedInUser(await signIn(NEW, OWNER.password))).email_verified).toBe(true);
    const log = await systemDb().auditLog.findMany({ where: { action: 'user.email_changed' } });
    expect(log).toMatchObject([{ data: { from: OWNER.email, to: NEW } }]);
    expect((await confirm(link)).status).toBe(400);
  });

  it('works once, for an hour, until it is cancelled or replaced or the password changes', async () => {
    await ask();
    const first = await token();
    await ask('second@casa.example');
    expect((await confirm(first)).status).toBe(400);
    const second = await token();
    expect((await callDashboardRoute(olga, 'mutation', 'accounts.cancel_email_change')).status).toBe(200);
    expect([await pending(), (await confirm(second)).status]).toEqual([null, 400]);

    await ask();
    const late = await token();
    setClock({ now: () => new Date(Date.now() + 61 * 60_000) });
    expect((await confirm(late)).status).toBe(400);
    setClock(null);
    const reset = new URL((await createPasswordResetLink(OWNER.email)).url).searchParams.get('token');
    await postToAuthHandler('/reset-password', { token: reset, newPassword: 'a newer password' });
    olga = await signIn(OWNER.email, 'a newer password');
    expect([await pending(), (await confirm(late)).status]).toEqual([null, 400]);
    for (const wrong of [undefined, 7, '', 'x']) expect((await confirm(wrong)).status).toBe(400);
  });

  it('changes the address once when followed by concurrent requests', async () => {
    await ask();
    const link = await token();
    const answers = await Promise.all([confirm(link), confirm(link), confirm(link)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await address()).toBe(NEW);
  });

  it('invalidates reset links that were mailed to the old address', async () => {
    const reset = new URL((await createPasswordResetLink(OWNER.email)).url).searchParams.get('token');
    await ask();
    expect((await confirm(await token())).status).toBe(200);
    expect((await postToAuthHandler('/reset-password', { token: reset, newPassword: 'a newer password' })).status).toBe(
      400,
    );
  });
});
