import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { systemDb } from '../db/client';
import { getOwnProcessIdentity, getProcessLiveness } from './process-identity';
import { getRegisteredProcessId, registerThisProcess } from './processes';

let joined: { leave(): Promise<void> } | undefined;
let freed: string[][];

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  freed = [];
});
afterEach(async () => {
  await joined?.leave();
  joined = undefined;
});

const free = async (dead: readonly string[]) => void freed.push([...dead]);
const ids = async () => (await systemDb().process.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
const insert = (id: string, changes: object = {}) =>
  systemDb().process.create({
    data: { id, ...getOwnProcessIdentity(), place: 'elsewhere:3000', started_at: new Date(), ...changes },
  });

/** Returns the pid of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('the processes registered in a database', () => {
  it('a starting process releases the leases of this machine’s dead processes, and of no live ones', async () => {
    const { start } = getOwnProcessIdentity();
    await insert('dead', { pid: await endedPid(), start: start?.replace(/\d+$/, '1') ?? null });
    await insert('living');
    joined = await registerThisProcess({ exclusive: false, free });
    expect(freed).toEqual([['dead']]);
    expect(await ids()).toEqual(['living', getRegisteredProcessId()].sort());
    await joined.leave();
    expect(await ids()).toEqual(['living']);
  });

  it('a process with exclusive use of the database treats all others as dead', async () => {
    await insert('living');
    joined = await registerThisProcess({ exclusive: true, free });
    expect(freed).toEqual([['living']]);
  });

  it.skipIf(getProcessLiveness({ pid: 1, start: 'x' }) !== 'unknown')(
    'a process on another machine is dead once its heartbeat stops, and alive while it continues',
    async () => {
      await insert('silent', { start: 'other-boot/pid:[1]/5' });
      await insert('beating', { start: 'other-boot/pid:[1]/6' });
      joined = await registerThisProcess({ exclusive: false, free, beat_ms: 50, dead_after_ms: 400 });
      expect(freed).toEqual([[]]);
      for (let beat = 0; beat < 20; beat++) {
        await systemDb().process.update({ where: { id: 'beating' }, data: { beat: { increment: 1 } } });
        await sleep(50);
      }
      expect(freed).toEqual([[], ['silent']]);
      expect(await ids()).toEqual(['beating', getRegisteredProcessId()].sort());
    },
  );

  it('a live process that was removed as dead registers again', async () => {
    joined = await registerThisProcess({ exclusive: false, free, beat_ms: 30 });
    await systemDb().process.deleteMany();
    await sleep(200);
    expect(await ids()).toEqual([getRegisteredProcessId()]);
  });
});
