/** Mails as they are sent: the product's own start, the embedded engine, a provider on the loopback. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { queueAccountMail } from '@/modules/mail/service';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawReceiver, startRawReceiver } from '@/testing/raw-receiver';
import { emptyDatabase } from '@/testing/team';
import { until } from './engine/testing/harness';
import { type DurableWork, startDurableWork } from './start';

let provider: RawReceiver;
let work: DurableWork;

beforeAll(async () => {
  await openTestDatabase();
  await emptyDatabase();
});
afterEach(async () => {
  await work.stop();
  await provider.close();
});
afterAll(closeTestDatabase);

it('no more than the provider takes in a second, and none is lost for it', async () => {
  provider = await startRawReceiver();
  provider.answer((_request, response, index) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `re_${index}` }));
  });
  setConfig({ resend_api_key: 're_test', resend_base_url: provider.url, mails_per_second: 3 });
  work = await startDurableWork();
  for (let n = 0; n < 8; n++) {
    await queueAccountMail({ template: 'invitation', to: `g${n}@example.com`, subject: 's', html: 'h', text: 't' });
  }
  await provider.received(8, 20_000);
  await until(async () => (await systemDb().mailMessage.count({ where: { status: 'sent' } })) === 8);
  const runs = await systemDb().engineRun.findMany({ orderBy: { started_at: 'asc' } });
  const begun = runs.filter((run) => run.function_id.endsWith('send-mail')).map(({ started_at }) => Number(started_at));
  expect(begun).toHaveLength(8);
  expect(Math.min(...begun.slice(3).map((at, index) => at - begun[index]!))).toBeGreaterThanOrEqual(1_000);
}, 40_000);
