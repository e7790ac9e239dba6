/**
 * Tests that all code about a property uses the property's test clock if it has one. Files that use
 * the process's time are listed here with the reason.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const FOLDERS = ['src/modules/reservations', 'src/modules/signing'];

/** Files that use real time for something other than the time of a stay. */
const REAL_TIME: Readonly<Record<string, string>> = {
  'reservations/repository.ts': 'when a row was written',
  'reservations/service.ts': 'when a row was written; until when a mail can be looked at',
  'reservations/send.ts': 'how many mails went out in a day, in live mode',
  'reservations/list.repository.ts': 'what the host’s list of all properties leaves out as long past',
  'reservations/mail-reports.ts': 'when a provider told of a mail; the trail puts it on the property’s clock',
  'reservations/double-bookings/service.ts': 'when a host said something',
  'reservations/double-bookings/detect.ts': 'when a host was told something',
  'reservations/timed/due-work.ts': 'at properties that go by the real time',
  'signing/codes.ts': 'how many minutes a code works',
};

async function sources(): Promise<[name: string, text: string][]> {
  const found: [string, string][] = [];
  for (const folder of FOLDERS) {
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('testing/')) continue;
      const name = path.posix.join(path.basename(folder), file);
      found.push([name, await readFile(path.join(folder, file), 'utf8')]);
    }
  }
  return found;
}

it('only the listed files use real time instead of a property’s time', async () => {
  const asking = (await sources()).filter(([, text]) =>
    /\bclock\(\)|(?<![.\w])now\(\)|Date\.now|new Date\(\)|CURRENT_(DATE|TIME)/.test(
      text.replaceAll(/^import .*$/gm, ''),
    ),
  );
  expect(asking.map(([name]) => name).sort()).toEqual(Object.keys(REAL_TIME).sort());
});
