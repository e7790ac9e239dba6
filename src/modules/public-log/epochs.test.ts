/**
 * Tests the public log after a database restore. Two different trees are never signed under one
 * name. Every sealed file keeps its position in the log, or the restore statement of the new epoch
 * declares its loss.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { checkPublicLog } from './check-log';
import {
  KNOWN_CHECKPOINT_FILE_NAME,
  resetExternallyStoredCheckpointInTests,
  waitUntilCheckpointIsStoredExternally,
} from './known-checkpoint';
import { getLogSigningKeyPair } from './log-key';
import { verifyCheckpointNote } from './rules/checkpoint';
import { hashPublishedBackupRestoreStatement, parsePublishedBackupRestoreStatement } from './rules/epochs';
import {
  addSealedFileToLog,
  buildLogInclusionProof,
  listLoggedDatabaseRestores,
  readPublicLogFile,
  startEpochIfLogDiverged,
} from './service';

let scope: Scope;
let data_dir: string;
const hash = (name: string) => sha256Hex(Buffer.from(name));
const enter = async (...names: string[]) => {
  for (const name of names) await inTransaction(scope, () => addSealedFileToLog(scope, hash(name)));
  await waitUntilCheckpointIsStoredExternally();
};
const checkpoint = async (epoch = 1) => String(await readPublicLogFile({ epoch, kind: 'checkpoint' }));
const kept = () => readFile(join(data_dir, KNOWN_CHECKPOINT_FILE_NAME), 'utf8');
/** Simulates a new process, which reads DATA_DIR. */
const restart = () => {
  resetExternallyStoredCheckpointInTests();
  return startEpochIfLogDiverged();
};

type Rows = Awaited<ReturnType<typeof snapshot>>;
async function snapshot() {
  const [entries, nodes, epochs] = await Promise.all([
    systemDb().logEntry.findMany(),
    systemDb().logNode.findMany(),
    systemDb().logEpoch.findMany(),
  ]);
  return { entries, nodes, epochs };
}
/** Replaces the log's rows with saved rows, as restoring a backup does. */
async function restore({ entries, nodes, epochs }: Rows) {
  await systemDb().logEntry.deleteMany();
  await systemDb().logNode.deleteMany();
  await systemDb().logEpoch.deleteMany();
  await systemDb().logEntry.createMany({ data: entries });
  await systemDb().logNode.createMany({ data: nodes.map((node) => ({ ...node, hash: new Uint8Array(node.hash) })) });
  await systemDb().logEpoch.createMany({ data: epochs });
}

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'epochs-'));
  setConfig({ data_dir });
  await restore({ entries: [], nodes: [], epochs: [] });
  await restart();
});
afterEach(async () => {
  await waitUntilCheckpointIsStoredExternally();
  resetExternallyStoredCheckpointInTests();
  await rm(data_dir, { recursive: true, force: true });
});

describe('a database that is older than the log', () => {
  it('is detected at the next start, and the log continues as a new epoch', async () => {
    await enter('a', 'b');
    const backup = await snapshot();
    await enter('c');
    const last = await checkpoint();
    expect(await kept()).toBe(last);
    await restore(backup);
    const statement = (await restart()) ?? '';
    expect(parsePublishedBackupRestoreStatement(statement)).toMatchObject({ restored: { size: 2 }, last_known: last });
    await enter('d');

    // The first epoch keeps its two restored entries. It must not grow to three again, because a
    // checkpoint of size 3 was already signed for other content.
    expect(verifyCheckpointNote(await checkpoint(), getLogSigningKeyPair().public).size).toBe(2);
    const second = verifyCheckpointNote(await checkpoint(2), getLogSigningKeyPair().public);
    expect(second).toMatchObject({ origin: expect.stringMatching(/\/threshold-log\/2$/), size: 2 });
    expect(await readPublicLogFile({ epoch: 2, kind: 'restore' })).toBe(statement);
    const entries = await readPublicLogFile({ epoch: 2, kind: 'entries', from: 0, width: 2 });
    expect(entries?.toString('hex' as never)).toBe(
      `0020${hashPublishedBackupRestoreStatement(statement)}0020${hash('d')}`,
    );

    expect(await checkPublicLog([last])).toMatchObject({ problems: [], epoch: 2, restores: [{ lost_entries: 1 }] });
    expect(await buildLogInclusionProof(scope, hash('a'))).toMatchObject({ leaf_index: 0 });
    expect(await buildLogInclusionProof(scope, hash('d'))).toMatchObject({ leaf_index: 1, tree_size: 2 });
    expect(await buildLogInclusionProof(scope, hash('c'))).toBeNull();
    expect(await listLoggedDatabaseRestores()).toMatchObject([
      { epoch: 2, lost_entries: 1, kept_until: expect.any(Date) },
    ]);
    expect(await restart()).toBeNull();
  });

  it('cannot lose further entries of an ended epoch unnoticed, because the next epoch states its end', async () => {
    await enter('a', 'b');
    const backup = await snapshot();
    await enter('c');
    await restore(backup);
    await restart();
    expect((await checkPublicLog()).problems).toEqual([]);
    await systemDb().logEntry.delete({ where: { epoch_position: { epoch: 1, position: 1 } } });
    await systemDb().logNode.deleteMany({ where: { epoch: 1, OR: [{ level: 0, position: 1 }, { level: 1 }] } });
    expect((await checkPublicLog()).problems).toEqual(['Epoch 1 ended with 2 entries; the log has 1 of it.']);
  });

  it('is not appended to by a running process', async () => {
    await enter('a');
    const backup = await snapshot();
    await enter('b');
    await restore(backup);
    await expect(enter('c')).rejects.toThrow('older than its last checkpoint');
    expect(await startEpochIfLogDiverged()).not.toBeNull();
    await enter('c');
    expect(await checkPublicLog()).toMatchObject({ problems: [], epoch: 2 });
  });

  it('is detected after each restore, also in an epoch that a restore began', async () => {
    await enter('a');
    const first = await snapshot();
    await enter('b');
    await restore(first);
    await restart();
    const second = await snapshot();
    await enter('c');
    const last = await checkpoint(2);
    await restore(second);
    expect(await restart()).toContain('/threshold-log/3\n');
    await enter('d');
    await restore(first);
    expect(await restart()).toContain('/threshold-log/4\n');
    expect((await checkPublicLog()).problems).toContain('Epoch 2 has no entries.');
    expect((await checkPublicLog([last])).problems).not.toEqual([]);
  });

  it('starts a new epoch even if it has the same number of different entries', async () => {
    await enter('a');
    const backup = await snapshot();
    await enter('b');
    const known = await kept();
    await restore(backup);
    // Without this data directory, a process does not detect the restore and appends to the
    // restored log.
    resetExternallyStoredCheckpointInTests();
    await enter('x', 'y');
    await writeFile(join(data_dir, KNOWN_CHECKPOINT_FILE_NAME), known);
    expect(await startEpochIfLogDiverged()).toContain('/threshold-log/2\n');
    expect(await restart()).toBeNull();
    expect((await checkPublicLog([known])).problems).toEqual([
      expect.stringMatching(/^The first 2 entries are not those/),
    ]);
  });
});

describe('a restore', () => {
  it('starts a new epoch even if nothing is known of the log', async () => {
    await enter('a');
    resetExternallyStoredCheckpointInTests();
    await rm(join(data_dir, KNOWN_CHECKPOINT_FILE_NAME));
    const last = await checkpoint();
    expect(
      parsePublishedBackupRestoreStatement((await startEpochIfLogDiverged({ restored: true })) ?? ''),
    ).toMatchObject({
      last_known: last,
    });
  });

  it('of a backup that is not older than the log starts no epoch', async () => {
    await enter('a');
    expect(await startEpochIfLogDiverged({ restored: true })).toBeNull();
    await enter('b');
    expect(await checkPublicLog()).toMatchObject({ problems: [], epoch: 1, tree_size: 2 });
  });
});

it('a checkpoint not signed by this installation is ignored', async () => {
  await enter('a');
  await writeFile(join(data_dir, KNOWN_CHECKPOINT_FILE_NAME), (await kept()).replace('\n1\n', '\n9\n'));
  expect(await restart()).toBeNull();
});

it('twelve processes that start and seal at once append to one tree', async () => {
  await enter('a', 'b');
  const backup = await snapshot();
  await enter('c');
  await restore(backup);
  resetExternallyStoredCheckpointInTests();
  const began = await Promise.all(Array.from({ length: 12 }, () => startEpochIfLogDiverged()));
  expect(began.filter((statement) => statement !== null)).toHaveLength(1);
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      inTransaction(scope, () => addSealedFileToLog(scope, hash(`at once ${index}`))),
    ),
  );
  expect(await checkPublicLog()).toMatchObject({ problems: [], epoch: 2, tree_size: 13 });
});
