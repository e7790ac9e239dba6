/**
 * The first embedded start makes an owner and two keys and shows them, once: nothing else ever shows them again. Whether it is
 * the first, the accounts tell and not the files: one that was cut off may have left a whole database and nobody in it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { config } from '@/config';
import { createTeam, isAnybodyThere } from '@/modules/accounts/service';
import { createKey } from '@/modules/api-keys/service';
import { type Mode, systemScope } from '@/shared/scope';

const EMAIL = 'owner@threshold.invalid';

/**
 * Creates the first owner and two keys, unless there is an account or a team already. Runs before the server listens:
 * with the port open, the first account could be a stranger's. Returns what shows the account once the server's address
 * is known: to the terminal that ran `npm start`. What a service or a container prints is kept as a log, which is no
 * place for a password: there it goes to a file.
 */
export async function prepareFirstStart(): Promise<() => Promise<void>> {
  const file = resolve(config().data_dir, 'first-start.txt');
  const unfinished = `${file}.unfinished`;
  const tellByFile = async () => {
    await rename(unfinished, file);
    console.log(`\n  Your account is in ${file}; read it and remove it.\n`);
  };
  if (await isAnybodyThere()) return existsSync(unfinished) ? tellByFile : async () => {};
  const password = randomBytes(9).toString('base64url');
  const account = () => `
  Your account, shown this once:

    dashboard   ${config().app_url}
    e-mail      ${EMAIL}
    password    ${password}
`;
  // Before the account is made: a process that dies after it has shown nothing, and the next start does.
  const keep = (text: string) => writeFile(unfinished, text, { mode: 0o600, flush: true });
  await keep(account());
  const { team } = await createTeam({
    name: 'My properties',
    owner_email: EMAIL,
    owner_password: password,
    plan: 'pro',
  });
  const make = async (mode: Mode) =>
    (await createKey(systemScope(team.id, mode, 'first start'), { name: 'First key' })).key;
  const [live, test] = [await make('live'), await make('test')];
  const text = () => `${account()}\
    live key    ${live}
    test key    ${test}

  Try:

    curl ${config().api_root}/properties -H 'Authorization: Bearer ${test}' \\
      -H 'Content-Type: application/json' -d '{"name":"Harbour Loft"}'
`;
  await keep(text());
  return async () => {
    if (process.stdout.isTTY || process.env.npm_lifecycle_event) {
      console.log(text());
      return rm(unfinished);
    }
    // On a port chosen by the system the address was not known before.
    await keep(text());
    await tellByFile();
  };
}
