/**
 * The first embedded start makes an owner and two keys and shows them, once: nothing else ever shows them again. Whether it is
 * the first, the accounts tell and not the files: one that was cut off may have left a whole database and nobody in it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { config } from '@/config';
import { createTeam, isAnybodyThere } from '@/modules/accounts/service';
import { createKey } from '@/modules/api-keys/service';
import { type Mode, systemScope } from '@/shared/scope';

const EMAIL = 'owner@threshold.invalid';

/**
 * Creates the first owner, unless there is an account or a team already, and shows what opens the account: to whoever typed `npm start` or sits
 * at a terminal. What a service or a container prints is kept as a log, which is no place for it: there it goes to a file.
 */
export async function greetFirstStart(): Promise<void> {
  const file = resolve(config().data_dir, 'first-start.txt');
  const unfinished = `${file}.unfinished`;
  const tellByFile = async () => {
    await rename(unfinished, file);
    console.log(`\n  Your account is in ${file}; read it and remove it.\n`);
  };
  if (await isAnybodyThere()) {
    if (existsSync(unfinished)) await tellByFile();
    return;
  }
  const password = randomBytes(9).toString('base64url');
  const account = `
  Your account, shown this once:

    dashboard   ${config().app_url}
    e-mail      ${EMAIL}
    password    ${password}
`;
  // Before the account is made: who dies after it has told nobody, and the next start does.
  await writeFile(unfinished, account, { mode: 0o600, flush: true });
  const { team } = await createTeam({
    name: 'My properties',
    owner_email: EMAIL,
    owner_password: password,
    plan: 'pro',
  });
  const make = async (mode: Mode) =>
    (await createKey(systemScope(team.id, mode, 'first start'), { name: 'First key' })).key;
  const [live, test] = [await make('live'), await make('test')];
  const keys = `\
    live key    ${live}
    test key    ${test}

  Try:

    curl ${config().api_root}/properties -H 'Authorization: Bearer ${test}' \\
      -H 'Content-Type: application/json' -d '{"name":"Harbour Loft"}'
`;
  if (process.stdout.isTTY || process.env.npm_lifecycle_event) {
    console.log(account + keys);
    return rm(unfinished);
  }
  await appendFile(unfinished, keys);
  await tellByFile();
}
