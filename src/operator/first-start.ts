/** The first embedded start makes an owner and two keys and prints them, once: nothing else ever shows them again. */
import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { countTeams, createTeam } from '@/modules/accounts/service';
import { createKey } from '@/modules/api-keys/service';
import { type Mode, systemScope } from '@/shared/scope';

const EMAIL = 'owner@threshold.invalid';

/** Creates and prints the first owner, unless there is a team already. */
export async function greetFirstStart(): Promise<void> {
  if ((await countTeams()) > 0) return;
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
  console.log(`
  Your account, shown this once:

    dashboard   ${config().app_url}
    e-mail      ${EMAIL}
    password    ${password}
    live key    ${live}
    test key    ${test}

  Try:

    curl ${config().api_root}/properties -H 'Authorization: Bearer ${test}' \\
      -H 'Content-Type: application/json' -d '{"name":"Harbour Loft"}'
`);
}
