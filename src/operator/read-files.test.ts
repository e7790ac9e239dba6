/** Reads a folder of real files without a database, and checks the result for each file. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FICTITIOUS_CHANNEL_DOMAINS } from '@/modules/forwarded-mail/testing/channel-domains';
import { buildCalendarFileReport, buildMailFileReport, type CalendarOrMailFileReadingSettings } from './read-files';

const MAILS = 'src/modules/forwarded-mail/fixtures/mail';
const FEEDS = 'src/modules/sync-sources/feed/fixtures/feeds';
const SETTINGS: CalendarOrMailFileReadingSettings = {
  kind: null,
  time_zone: 'Europe/Lisbon',
  today: '2026-05-01',
  own: { senders: [], inbound_domain: 'in.threshold.example' },
  channel_domains: FICTITIOUS_CHANNEL_DOMAINS,
  authserv_id: 'mx.threshold.example',
};
const mail = (name: string, over: Partial<CalendarOrMailFileReadingSettings> = {}) =>
  buildMailFileReport(new Uint8Array(readFileSync(`${MAILS}/${name}.eml`)), { ...SETTINGS, ...over });
const feed = (name: string, over: Partial<CalendarOrMailFileReadingSettings> = {}) =>
  buildCalendarFileReport(new Uint8Array(readFileSync(`${FEEDS}/${name}.ics`)), { ...SETTINGS, ...over });

describe('the result for a mail', () => {
  it.each([
    ['channel-a-en-redirected', 'redirected channel_a confirmation: create'],
    ['channel-a-fr-gmail-inline', 'inline channel_a confirmation: inbox (not_verified), were it proven: create'],
    ['channel-c-cancelled', 'redirected channel_c cancellation: inbox (cancellation)'],
    ['bounce', 'redirected no channel other: dismiss (bounce)'],
  ])('%s', async (name, title) => {
    expect((await mail(name)).title).toBe(title);
  });
  it('includes every reading of its dates', async () => {
    expect((await mail('channel-a-march-or-tuesday')).lines.slice(2)).toEqual([
      'or         2027-03-05 to 2027-03-12',
      'or         2026-05-05 to 2026-05-12',
    ]);
  });
});

describe('the result for a calendar', () => {
  it('is of the kind that fits best, or of the given kind', () => {
    expect(feed('channel-c').title).toMatch(/^channel_c_ical: \d+ bookings/);
    expect(feed('channel-c', { kind: 'channel_b_ical' }).title).toMatch(/^channel_b_ical: /);
    expect(feed('cancelled').lines).toContainEqual(expect.stringMatching(/^cancelled {2}\d{4}-/));
  });
  it('gives the reason when a file is not a calendar', () => {
    expect(feed('web-page')).toMatchObject({ title: 'no calendar: html', readable: false });
  });
});

it('the command reads every file in a folder and its subfolders, and counts unreadable ones', async () => {
  const run = promisify(execFile)(process.execPath, [
    'node_modules/tsx/dist/cli.mjs',
    'scripts/calendars.ts',
    'src/modules',
    '--today',
    '2026-05-01',
  ]);
  const { stdout } = await run;
  const files = [MAILS, FEEDS].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  for (const file of files) expect(stdout).toContain(`\n${file}  `.slice(file === [...files].sort()[0] ? 1 : 0));
  expect(stdout).toMatch(new RegExp(`\\n${files.length} files, of which [1-9]\\d* could not be read\\.\\n$`));
});

it('the command prints its usage', async () => {
  const run = promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/calendars.ts']);
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('npm run calendars -- FOLDER') });
});
