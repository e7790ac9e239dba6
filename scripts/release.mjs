/** `npm run release`: packs the client and the command line as tarballs in `release/`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const out = resolve('release');
mkdirSync(out, { recursive: true });
for (const folder of ['packages/client', 'packages/cli'])
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, stdio: 'inherit' });
