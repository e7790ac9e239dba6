/**
 * Creates an owner and two keys at the first embedded start, and shows them only once. A start
 * counts as the first one if there are no accounts. Existing database files do not matter, because
 * an interrupted first start may have left a complete database without accounts.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { config } from '@/config';
import { createTeam, hasAnyAccount } from '@/modules/accounts/service';
import { createApiKey } from '@/modules/api-keys/service';
import { createSystemScope, type Mode } from '@/shared/scope';

const EMAIL = 'owner@threshold.invalid';

/**
 * Creates the first owner and two keys, unless there is an account or a team. Runs before the
 * server listens, because otherwise a stranger could create the first account.
 *
 * Returns a function to call once the server's address is known. It prints the account on the
 * terminal that ran `npm start`. Without a terminal it writes a file, because the output of a
 * service or a container is stored in a log, which must not contain a password.
 */
export async function createFirstAccountIfNoneExists(): Promise<() => Promise<void>> {
  const file = resolve(config().data_dir, 'first-start.txt');
  const unfinished = `${file}.unfinished`;
  const tellByFile = async () => {
    await rename(unfinished, file);
    console.log(`\n  Your account is in ${file}. Read the file, then delete it.\n`);
  };
  if (await hasAnyAccount()) return existsSync(unfinished) ? tellByFile : async () => {};
  const password = randomBytes(9).toString('base64url');
  const account = () => `
  Your account, shown this once:

    dashboard   ${config().app_url}
    e-mail      ${EMAIL}
    password    ${password}
`;
  // The file is written before the account is created. If the process dies before showing the
  // account, the next start shows it.
  const keep = (text: string) => writeFile(unfinished, text, { mode: 0o600, flush: true });
  await keep(account());
  const { team } = await createTeam({
    name: 'My properties',
    owner_email: EMAIL,
    owner_password: password,
    plan: 'pro',
  });
  const make = async (mode: Mode) =>
    (await createApiKey(createSystemScope(team.id, mode, 'first start'), { name: 'First key' })).key;
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
    // The file is written again, because a port that the system chose is known only now.
    await keep(text());
    await tellByFile();
  };
}
