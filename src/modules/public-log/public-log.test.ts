/**
 * Tests the log in a database, with concurrent and interrupted writers. Every change of the log is
 * detected.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config, setConfig } from '@/config';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { checkPublicLog } from './check-log';
import { addSealedFileToLog, buildLogInclusionProof, readPublicLogFile } from './service';

let scope: Scope;
let other: Scope;
const hash = (name: string) => sha256Hex(Buffer.from(name));
const enter = (name: string, by = scope) => inTransaction(by, () => addSealedFileToLog(by, hash(name)));
const checkpoint = async () => String(await readPublicLogFile({ epoch: 1, kind: 'checkpoint' }));
const positions = async () =>
  (await systemDb().logEntry.findMany({ orderBy: { position: 'asc' } })).map(({ position }) => position);

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  other = { ...scope, mode: 'test' };
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().logEntry.deleteMany();
  await systemDb().logNode.deleteMany();
});

describe('the log', () => {
  it('begins empty, with a signed checkpoint', async () => {
    const note = await checkpoint();
    expect(note).toContain('/.well-known/threshold-log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— ');
    expect(await checkPublicLog([note])).toMatchObject({ problems: [], tree_size: 0 });
  });

  it('adds leaves of live and test mode in sequence under concurrent writers, each once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `file ${index}`);
    await Promise.all(names.map((name, index) => enter(name, index % 2 === 0 ? scope : other)));
    await enter('file 3');
    expect(await positions()).toEqual(names.map((_, index) => index));
    expect(await checkPublicLog([await checkpoint()])).toMatchObject({ problems: [], tree_size: 12 });
  });

  it('contains nothing of an aborted transaction, and reuses its position', async () => {
    await enter('first');
    const before = await checkpoint();
    const broken = inTransaction(scope, async () => {
      await addSealedFileToLog(scope, hash('lost'));
      throw new Error('the power went');
    });
    await expect(broken).rejects.toThrow('the power went');
    expect(await checkpoint()).toBe(before);
    await enter('second');
    expect(await positions()).toEqual([0, 1]);
    expect(await checkPublicLog([before])).toMatchObject({ problems: [], tree_size: 2 });
    expect(await buildLogInclusionProof(scope, hash('lost'))).toBeNull();
  });

  it('returns the same proof of an entry forever', async () => {
    await enter('first');
    await enter('second');
    await enter('third');
    const proof = await buildLogInclusionProof(scope, hash('third'));
    expect(proof).toMatchObject({ leaf_index: 2, tree_size: 3 });
    for (const name of ['fourth', 'fifth']) await enter(name);
    expect(await buildLogInclusionProof(scope, hash('third'))).toEqual(proof);
  });

  it('keeps its history when the installation’s URL changes', async () => {
    await enter('first');
    const kept = await checkpoint();
    const { app_url } = config();
    setConfig({ app_url: 'https://elsewhere.example' });
    try {
      await enter('second');
      expect(await checkpoint()).toMatch(/^elsewhere\.example\/\.well-known\/threshold-log\n2\n/);
      expect(await checkPublicLog([kept])).toMatchObject({ problems: [], tree_size: 2 });
    } finally {
      setConfig({ app_url });
    }
  });

  it('serves complete tiles, and the existing part of the last one', async () => {
    for (let index = 0; index < 259; index += 1) await enter(`file ${index}`);
    const size = async (level: number, from: number, width: number) =>
      (await readPublicLogFile({ epoch: 1, kind: 'hashes', level, from, width }))?.length ?? null;
    expect([await size(0, 0, 256), await size(0, 256, 3), await size(1, 0, 1)]).toEqual([256 * 32, 96, 32]);
    expect([await size(0, 256, 4), await size(1, 0, 2), await size(2, 0, 1), await size(7, 2 ** 31, 256)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const entries = await readPublicLogFile({ epoch: 1, kind: 'entries', from: 256, width: 2 });
    expect(entries?.toString('hex' as never)).toBe(`0020${hash('file 256')}0020${hash('file 257')}`);
  });
});

describe('an attacker with write access to the database', () => {
  const MODELS = { LogEntry: Prisma.LogEntryScalarFieldEnum, LogNode: Prisma.LogNodeScalarFieldEnum };
  const columns = Object.entries(MODELS).flatMap(([model, names]) => Object.keys(names).map((name) => [model, name]));
  const VALUES: Record<string, unknown> = {
    epoch: 9,
    position: 99,
    level: 9,
    pdf_sha256: hash('another'),
    checkpoint: 'stay.example\n2\nAAAA\n\n— stay.example AAAA\n',
    hash: new Uint8Array(32),
  };

  /** Columns with signatures by other parties, which can be verified with their keys. */
  const FOREIGN = ['timestamp', 'cosignatures'];

  it.each(columns.filter(([, name]) => name !== 'created_at' && !FOREIGN.includes(name ?? '')))(
    'who changes %s.%s is detected in the log',
    async (model, name) => {
      for (const file of ['a', 'b', 'c']) await enter(file);
      const data = { [name as string]: VALUES[name as string] };
      if (model === 'LogEntry')
        await systemDb().logEntry.update({ where: { epoch_position: { epoch: 1, position: 1 } }, data });
      else
        await systemDb().logNode.update({ where: { epoch_level_position: { epoch: 1, level: 0, position: 2 } }, data });
      expect((await checkPublicLog()).problems.length).toBeGreaterThan(0);
    },
  );

  it('cannot get a changed tree signed', async () => {
    for (const file of ['a', 'b', 'c']) await enter(file);
    const where = { epoch_level_position: { epoch: 1, level: 1, position: 0 } };
    await systemDb().logNode.update({ where, data: { hash: new Uint8Array(32) } });
    await expect(enter('d')).rejects.toThrow('not the one that was signed last');
    expect(await positions()).toEqual([0, 1, 2]);
  });

  it('who restores an older log is detected with a later checkpoint', async () => {
    await enter('a');
    await enter('b');
    const kept = await checkpoint();
    await systemDb().logEntry.delete({ where: { epoch_position: { epoch: 1, position: 1 } } });
    await systemDb().logNode.deleteMany({ where: { OR: [{ level: 0, position: 1 }, { level: 1 }] } });
    expect((await checkPublicLog()).problems).toEqual([]);
    expect((await checkPublicLog([kept])).problems).toEqual(['A checkpoint signed 2 entries; the log has 1.']);
    await enter('c');
    expect((await checkPublicLog([kept])).problems[0]).toMatch(/^The first 2 entries are not those/);
  });
});
