/**
 * The first embedded start makes an owner and two keys and shows them, once: nothing else ever shows them again. Whether it is
 * the first, the accounts tell and not the files: one that was cut off may have left a whole database and nobody in it.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
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
  if (await isAnybodyThere()) return;
  const password = randomBytes(9).toString('base64url');
  const { team } = await createTeam({
    name: 'My properties',
    owner_email: EMAIL,
    owner_password: password,
    plan: 'pro',
  });
  const make = async (mode: Mode) =>
    (await createKey(systemScope(team.id, mode, 'first start'), { name: 'First key' })).key;
  const [live, test] = [await make('live'), await make('test')];
  const told = `
  Your account, shown this once:

    dashboard   ${config().app_url}
    e-mail      ${EMAIL}
    password    ${password}
    live key    ${live}
    test key    ${test}

  Try:

    curl ${config().api_root}/properties -H 'Authorization: Bearer ${test}' \\
      -H 'Content-Type: application/json' -d '{"name":"Harbour Loft"}'
`;
  if (process.stdout.isTTY || process.env.npm_lifecycle_event) return console.log(told);
  const file = resolve(config().data_dir, 'first-start.txt');
  await writeFile(file, told, { mode: 0o600 });
  console.log(`\n  Your account and its keys are in ${file}; read it and remove it.\n`);
}
