/** Finds or installs a Chromium for the browser tests. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { resolveProjectPath } from './project.mjs';
import { runQuietly } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the path of an installed browser, or null. `CHROME_PATH` overrides it. */
export function findBrowser() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  return candidates.find((path) => existsSync(path)) ?? null;
}

async function playwrightHasBrowser() {
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath());
}

/** Returns whether a browser must be installed. */
export async function shouldInstallBrowser() {
  return !findBrowser() && !(await playwrightHasBrowser());
}

/** Installs a browser: Debian's package as root, otherwise Playwright's download. */
export async function installBrowser() {
  const debian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (debian) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    try {
      await runQuietly('apt-get', ['update', '-q'], { env });
      await runQuietly('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env });
      return;
    } catch (error) {
      if (findBrowser()) return;
      process.stderr.write(`${error.message} Trying the one Playwright brings.\n`);
    }
  }
  await runQuietly(process.execPath, [
    resolveProjectPath('node_modules/@playwright/test/cli.js'),
    'install',
    'chromium',
  ]);
}
