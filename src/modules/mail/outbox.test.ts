import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { newId } from '@/shared/ids';
import { createSystemScope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeams } from '@/testing/team';
import { encryptMailContent } from './content';
import { listOutbox, retrieveMail } from './outbox';

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_a', 'team_b');
});
afterAll(closeTestDatabase);

const scope = createSystemScope('team_a', 'test', 'test');
const start = Date.parse('2026-03-01T12:00:00.000Z');
let minutes = 0;

async function mail(
  line: { team_id?: string | null; mode?: 'live' | 'test' | null; status?: string; reservation_id?: string } = {},
) {
  minutes += 1;
  const at = new Date(start + minutes * 60_000);
  const id = newId('mail');
  await systemDb().mailMessage.create({
    data: {
      id,
      team_id: 'team_a',
      mode: 'test',
      template: 'packet',
      to: 'ada@example.com',
      from: 'Threshold <no-reply@threshold.invalid>',
      subject: 'Before you arrive',
      content: encryptMailContent(CONTENT),
      status: 'captured',
      due_at: at,
      created_at: at,
      ...line,
    },
  });
  return id;
}

const TOKEN = 'S3cretTokenOfThirtyTwoCharacters';
const CONTENT = {
  subject: 'Before you arrive',
  html: `<p>Hello</p><a href="https://h.example/sign/${TOKEN}?lang=en">Sign</a>`,
  text: `Hello https://h.example/sign/${TOKEN}`,
};

it('the outbox lists the team’s mail in its mode, newest first, without the rendered text', async () => {
  const first = await mail({ reservation_id: 'res_1' });
  const second = await mail({ status: 'failed' });
  await mail({ mode: 'live' });
  await mail({ team_id: 'team_b' });
  await mail({ team_id: null, mode: null });
  const ids = async (query: object) => (await listOutbox(scope, { limit: 25, ...query })).data.map((row) => row.id);
  expect(await ids({})).toEqual([second, first]);
  expect(await ids({ status: 'failed' })).toEqual([second]);
  expect(await ids({ reservation: 'res_1' })).toEqual([first]);
  const page = await listOutbox(scope, { limit: 1 });
  expect(page).toMatchObject({ has_more: true, data: [{ id: second, template: 'packet', status: 'failed' }] });
  expect(page.data[0]).not.toHaveProperty('html');
  expect(await ids({ limit: 1, starting_after: second })).toEqual([first]);
});

it('the outbox shows a mail as it was rendered, but not another team’s or mode’s', async () => {
  const id = await mail();
  expect(await retrieveMail(scope, id)).toMatchObject({ id, ...CONTENT });
  for (const other of [createSystemScope('team_a', 'live', 't'), createSystemScope('team_b', 'test', 't')]) {
    await expect(retrieveMail(other, id)).rejects.toMatchObject({ code: 'resource_missing' });
  }
});

it('the outbox shows a live mail without the tokens of its links', async () => {
  const id = await mail({ mode: 'live' });
  const shown = await retrieveMail(createSystemScope('team_a', 'live', 't'), id);
  expect(shown.html).toContain('Hello');
  expect(JSON.stringify(shown)).not.toContain(TOKEN);
});
