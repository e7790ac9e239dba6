import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { finishRestore, getPendingRestoreFolder } from './finish-restore';

/** A program that finishes a restore. It dies before its nth file-system change, counted from 0. */
const DYING = `
  import { syncBuiltinESMExports } from 'node:module';
  import fs from 'node:fs/promises';
  let left = Number(process.argv.at(-1));
  for (const name of ['mkdir', 'rename', 'rmdir']) {
    const really = fs[name];
    fs[name] = (...given) => (left-- === 0 ? process.kill(process.pid, 'SIGKILL') : really(...given));
  }
  syncBuiltinESMExports();
  const { finishRestore } = await import('@/infra/db/opening/finish-restore');
  await finishRestore(process.argv.at(-2));
`;

async function dieWithin(data_dir: string, at: number): Promise<boolean> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', DYING, data_dir, String(at)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  if (signal === null) expect(code).toBe(0);
  return signal === 'SIGKILL';
}

it('a restore interrupted at any point while replacing data is finished by the next start, without loss', async () => {
  let died = 0;
  for (let at = 0; ; at++) {
    const data_dir = await mkdtemp(join(tmpdir(), 'finish-restore-'));
    const put = async (folder: string, name: string, text: string) => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), text);
    };
    await put(join(data_dir, 'postgres'), 'PG_VERSION', 'old');
    await put(data_dir, 'postgres.unfinished', '');
    await put(data_dir, 'app-secret', 'old');
    await put(join(getPendingRestoreFolder(data_dir, '1'), 'postgres'), 'PG_VERSION', 'new');
    await put(getPendingRestoreFolder(data_dir, '1'), 'app-secret', 'new');
    const killed = await dieWithin(data_dir, at);
    const aside = join(data_dir, 'before-restore-1');
    expect(await finishRestore(data_dir)).toBe(killed ? aside : null);
    expect((await readdir(data_dir)).sort()).toEqual(['app-secret', 'before-restore-1', 'postgres']);
    expect((await readdir(aside)).sort()).toEqual(['app-secret', 'postgres', 'postgres.unfinished']);
    for (const [folder, text] of [[data_dir, 'new'] as const, [aside, 'old'] as const]) {
      expect(await readFile(join(folder, 'app-secret'), 'utf8')).toBe(text);
      expect(await readFile(join(folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe(text);
    }
    await rm(data_dir, { recursive: true });
    if (!killed) break;
    died += 1;
  }
  expect(died).toBe(7);
}, 120_000);
