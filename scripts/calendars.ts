/**
 * `npm run calendars -- FOLDER [--kind channel_a_ical] [--zone Europe/Lisbon] [--today
 * 2026-05-01]`: prints how the product would interpret each .ics and .eml file below a folder.
 * Stores nothing and opens no database. The environment sets the channels' mail domains.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { config } from '@/config';
import { isCalendarDay } from '@/modules/sync-sources/feed/calendar-days';
import { ALL_CALENDAR_FEED_KINDS, buildCalendarFileReport, buildMailFileReport } from '@/operator/read-files';
import { getLocalDate } from '@/shared/zoned-time';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kind: { type: 'string' }, zone: { type: 'string', default: 'UTC' }, today: { type: 'string' } },
});
const [folder] = positionals;
const kind = values.kind === undefined ? null : ALL_CALENDAR_FEED_KINDS.find((known) => known === values.kind);
const today = values.today ?? getLocalDate(new Date(), values.zone);
if (!folder || kind === undefined || !isCalendarDay(today)) {
  const kinds = ALL_CALENDAR_FEED_KINDS.join('|');
  console.error(`Usage: npm run calendars -- FOLDER [--kind ${kinds}] [--zone Europe/Lisbon] [--today YYYY-MM-DD]`);
  process.exit(2);
}

const { channel_mail_domains, inbound_authserv_id, inbound_domain } = config();
const settings = {
  kind,
  time_zone: values.zone,
  today,
  own: { senders: [], inbound_domain },
  channel_domains: channel_mail_domains,
  authserv_id: inbound_authserv_id ?? null,
};

const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile() && /\.(?:ics|eml)$/i.test(entry.name));
const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
let unreadable = 0;
for (const path of paths) {
  const bytes = new Uint8Array(await readFile(path));
  const reading = /\.ics$/i.test(path)
    ? buildCalendarFileReport(bytes, settings)
    : await buildMailFileReport(bytes, settings);
  if (!reading.readable) unreadable += 1;
  console.log([`${path}  ${reading.title}`, ...reading.lines.map((line) => `  ${line}`), ''].join('\n'));
}
console.log(`${paths.length} files, of which ${unreadable} could not be read.`);
process.exit(paths.length === 0 ? 1 : 0);
