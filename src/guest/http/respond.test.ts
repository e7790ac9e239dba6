/** Tests the page that a guest sees after an internal error. */
import { expect, it } from 'vitest';
import { AppError } from '@/shared/errors';
import { runOrReturnFailurePage } from './respond';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

it.each([
  [
    'a prepared statement fails because the database is unreachable',
    503,
    new AppError('service_unavailable', { retryAfter: 1 }),
  ],
  ['the database refuses connections', 503, refused],
  ['the page throws an exception', 500, new TypeError('guest is undefined')],
])('%s: the guest gets a page with status %i, without the cause', async (_what, status, error) => {
  const page = await runOrReturnFailurePage(new Request('http://localhost/sign/token'), () => Promise.reject(error));
  expect(page.status).toBe(status);
  expect(await page.text()).not.toContain(error.message);
});
