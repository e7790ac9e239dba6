import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  license?: string;
  dev?: boolean;
  link?: boolean;
}
const read = (file: string) => readFileSync(file, 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
/**
 * The platform suffix in the names of packages that contain a binary. The notice lists these
 * packages without the suffix.
 */
const PLATFORM = /-(darwin|linux|linuxmusl|win32|android|freebsd)[-\w]*$/;

it('THIRD-PARTY-NOTICES.md lists every shipped package under a copyleft or font license', () => {
  const notices = read('THIRD-PARTY-NOTICES.md');
  const shipped = Object.entries(packages).flatMap(([path, { license = '', dev, link }]) =>
    path.startsWith('node_modules/') && !dev && !link && /GPL|MPL|OFL|SIL/i.test(license)
      ? [(path.split('node_modules/').pop() ?? '').replace(PLATFORM, '')]
      : [],
  );
  expect(shipped.length).toBeGreaterThan(20);
  expect([...new Set(shipped)].filter((name) => !notices.includes(`- ${name}`))).toEqual([]);
});

it('the repository and its published packages have the same license', () => {
  for (const folder of ['.', 'packages/client', 'packages/cli']) {
    expect(JSON.parse(read(`${folder}/package.json`)).license).toBe('MIT');
    expect(existsSync(`${folder}/LICENSE`)).toBe(true);
  }
});

it('published packages can be packed from a checkout without installed dependencies', () => {
  for (const folder of ['packages/client', 'packages/cli']) {
    const { scripts, engines, files, repository } = JSON.parse(read(`${folder}/package.json`));
    expect(scripts.prepack).toMatch(/^node \.\.\/\.\.\/scripts\/setup\.mjs --packages && /);
    expect({ engines, files }).toEqual({ engines: { node: '>=20.19' }, files: ['dist'] });
    expect(repository.directory).toBe(folder);
  }
  expect(JSON.parse(read('package.json')).name).not.toBe(JSON.parse(read('packages/cli/package.json')).name);
});
