import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toAppError } from '@/api/trpc/error-translation';
import { notifyEventRelay, setEventRelayListener } from '@/events/process-listeners';
import { recordEvent } from '@/events/record';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { queueMail } from '@/modules/mail/service';
import { appendTrailEntries } from '@/modules/trail/service';
import type { Mode, Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeams } from '@/testing/team';
import { systemDb } from './client';
import { runOperationThenStoreResultAndCommit } from './commit-with-answer';
import { lockProperty, lockPropertyAgainstDeletion, lockTeam } from './locks';
import { getCurrentTransaction } from './open-transaction';
import { Prisma, queryRowsInScope, scopedDb } from './scoped-client';
import { inSystemTransaction, inTransaction, runAfterCommit } from './transaction';

const scope = (team_id: string, mode: Mode = 'live'): Scope => ({
  team_id,
  mode,
  actor: { kind: 'system', name: 'test' },
});
const mine = scope('team_mine');
const others = [scope('team_other'), scope('team_mine', 'test')];

const insert = (id: string, own = mine) =>
  scopedDb(own).property.create({
    data: { id, name: id, created_at: new Date(), updated_at: new Date(), team_id: own.team_id, mode: own.mode },
  });
const ids = async () => (await systemDb().property.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
/** A query that returns the id of its transaction. */
const NUMBER = (own: Scope) => Prisma.sql`SELECT txid_current()::text AS id FROM (SELECT 1) x
    WHERE ${own.team_id} = ${own.team_id} AND ${own.mode} = ${own.mode} -- team_id, mode`;
const number = async (own = mine) => (await queryRowsInScope<{ id: string }>(own, NUMBER(own)))[0]?.id;

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_mine', 'team_other');
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().property.deleteMany();
});

/**
 * Both kinds of transactions: a plain transaction, and the transaction of an idempotent request.
 */
const WAYS: [string, <T>(work: () => Promise<T>) => Promise<T>][] = [
  ['a transaction', (work) => inTransaction(mine, work)],
  [
    'the transaction of an idempotent request',
    (work) =>
      runOperationThenStoreResultAndCommit(
        mine,
        () => inTransaction(mine, work),
        async () => {},
      ),
  ],
];

describe.each(WAYS)('inside %s', (_name, transaction) => {
  it('a nested call joins the transaction without waiting', async () => {
    const begun = performance.now();
    const [outer, inner, innermost] = await transaction(async () => [
      await number(),
      await inTransaction(mine, () => number()),
      await inTransaction({ ...mine, actor: { kind: 'guest' } }, () => inTransaction(mine, () => number())),
    ]);
    expect(inner).toBe(outer);
    expect(innermost).toBe(outer);
    // A deadlock would last 15 s, until the embedded database gives up.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('a prepared statement that bypasses Prisma runs in the same transaction', async () => {
    const [prepared, of_prisma, own] = await transaction(async () => {
      expect(getCurrentTransaction()?.runPrepared).toBeTruthy();
      await insert('prop_1');
      const of_prisma = await scopedDb(mine).$queryRaw<{ id: string }[]>(NUMBER(mine));
      const own = await queryRowsInScope(
        mine,
        Prisma.sql`UPDATE properties SET name = 'Changed' WHERE team_id = ${mine.team_id} AND mode = ${mine.mode}::"Mode" RETURNING id`,
      );
      return [await number(), of_prisma[0]?.id, own];
    });
    expect(prepared).toBe(of_prisma);
    expect(own).toEqual([{ id: 'prop_1' }]);
    expect(await systemDb().property.findMany({ select: { name: true } })).toEqual([{ name: 'Changed' }]);
  });

  it('a prepared statement that the database rejects rolls everything back as concurrent_edit', async () => {
    const refused = transaction(async () => {
      await insert('prop_1');
      await queryRowsInScope(
        mine,
        Prisma.sql`INSERT INTO packets (id, team_id, mode, property_id, name, created_at, updated_at)
          VALUES ('pkt_1', ${mine.team_id}, ${mine.mode}::"Mode", 'prop_gone', 'x', now(), now()) RETURNING id`,
      );
    });
    const error = await refused.catch((thrown) => toAppError(thrown));
    expect(error).toMatchObject({ code: 'concurrent_edit' });
    expect(await ids()).toEqual([]);
  });

  it('concurrent nested calls join the transaction too', async () => {
    const numbers = await transaction(() => Promise.all([1, 2, 3].map(() => inTransaction(mine, () => number()))));
    expect(new Set(numbers).size).toBe(1);
  });

  it('every query belongs to the transaction: a rollback leaves nothing behind', async () => {
    const refused = transaction(async () => {
      await insert('prop_1');
      await inTransaction(mine, () => insert('prop_2'));
      expect(await scopedDb(mine).property.count()).toBe(2);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
  });

  it('an error in a nested call rolls everything back, even if the caller catches it', async () => {
    const refused = transaction(async () => {
      await insert('prop_1');
      await inTransaction(mine, async () => {
        await insert('prop_2');
        throw new Error('half');
      }).catch(() => {});
    });
    await expect(refused).rejects.toThrow('half');
    expect(await ids()).toEqual([]);
  });

  it.each(others.map((other) => [`${other.team_id} ${other.mode}`, other] as const))(
    'neither a client nor a transaction is available for %s',
    async (_other, other) => {
      await insert('prop_other', other);
      const attempts: (() => unknown)[] = [
        () => scopedDb(other),
        () => number(other),
        () => inTransaction(other, async () => {}),
        () => recordEvent(other, { type: 'property.created', object_id: 'prop_1', data: { object: {} } }),
      ];
      for (const attempt of attempts) {
        await expect(transaction(async () => attempt())).rejects.toThrow(/nothing else can be reached/);
      }
    },
  );

  it('the client of all teams is unavailable, because the embedded database would wait for it forever', async () => {
    await expect(transaction(async () => systemDb())).rejects.toThrow(/all teams/);
    await expect(transaction(() => inSystemTransaction(async () => {}))).rejects.toThrow(/all teams/);
  });

  it('hooks run once, after the commit', async () => {
    const seen: string[][] = [];
    const hook = () => void ids().then((found) => seen.push(found));
    await transaction(async () => {
      await insert('prop_1');
      runAfterCommit(hook);
      await inTransaction(mine, async () => runAfterCommit(hook));
      expect(seen).toEqual([]);
    });
    await expect.poll(() => seen).toEqual([['prop_1']]);
  });

  it('hooks do not run after a rollback', async () => {
    let ran = false;
    const refused = transaction(async () => {
      runAfterCommit(() => {
        ran = true;
      });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(ran).toBe(false);
  });

  it.each<[string, (run: () => void) => void]>([
    ['started by a hook after the commit', (run) => runAfterCommit(run)],
    ['started inside and still running afterwards', (run) => run()],
  ])('work that is %s uses the plain client', async (_how, go) => {
    let found: Promise<number> | undefined;
    await transaction(async () => {
      await insert('prop_1');
      go(() => {
        found = sleep(20).then(() => scopedDb(mine).property.count());
      });
    });
    expect(await found).toBe(1);
  });
});

it('work that outlives its request can neither join its transaction nor register hooks', async () => {
  let late: Promise<unknown> | undefined;
  await inTransaction(mine, async () => {
    late = sleep(20).then(() => runAfterCommit(() => {}));
    late.catch(() => {});
  });
  await expect(late).rejects.toThrow(/outside of a transaction/);
});

describe('an idempotent request', () => {
  it('commits its change and its response together', async () => {
    const numbers: unknown[] = [];
    await runOperationThenStoreResultAndCommit(
      mine,
      async () => {
        await inTransaction(mine, () => insert('prop_1'));
        numbers.push(await inTransaction(mine, () => number()));
      },
      async () => void numbers.push(await number()),
    );
    expect(numbers[1]).toBe(numbers[0]);
    expect(await ids()).toEqual(['prop_1']);
  });

  it('rolls back its change when the response cannot be stored', async () => {
    const lost = runOperationThenStoreResultAndCommit(
      mine,
      () => inTransaction(mine, () => insert('prop_1')),
      () => Promise.reject(new Error('the lease was lost')),
    );
    await expect(lost).rejects.toThrow('the lease was lost');
    expect(await ids()).toEqual([]);
  });

  it('opens no transaction when it writes nothing', async () => {
    const found = await runOperationThenStoreResultAndCommit(
      mine,
      () => ids(),
      async () => void (await ids()),
    );
    expect(found).toEqual([]);
  });

  it('is run by the REST bridge only', () => {
    expect(filesWith(/commit-with-answer'/)).toEqual(['api/rest/handle-request.ts']);
  });
});

describe('outside of a transaction', () => {
  const item = { type: 'reservation.sent' };
  it.each<[string, () => unknown]>([
    ['an event', () => recordEvent(mine, { type: 'property.created', object_id: 'prop_1', data: { object: {} } })],
    ['an audit log entry', () => recordAuditEntry(mine, { action: 'property.deleted' })],
    ['a trail entry', () => appendTrailEntries(mine, 'res_1', [item], new Date())],
    ['a mail', () => queueMail(mine, { template: 'x', to: 'a@example.com', subject: 's', html: 'h', text: 't' })],
    ['a lock on a team', () => lockTeam(mine)],
    ['a shared lock on a property', () => lockPropertyAgainstDeletion(mine, 'prop_1')],
    ['a lock on a property', () => lockProperty(mine, 'prop_1')],
    ['a hook', () => runAfterCommit(() => {})],
  ])('%s is rejected', async (_what, call) => {
    await expect((async () => call())()).rejects.toThrow(/in a transaction|outside of a transaction/);
  });

  it('a relay wake-up runs in the context in which it was registered, not in the request’s', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    setEventRelayListener(() => seen.push(context.getStore()));
    context.run('a request', notifyEventRelay);
    setEventRelayListener(null);
    expect(seen).toEqual([undefined]);
  });
});

describe('a transaction over all teams', () => {
  it('is joined by systemDb and by nested calls', async () => {
    const refused = inSystemTransaction(async () => {
      await inSystemTransaction(async () => {
        await systemDb().property.createMany({
          data: [
            {
              id: 'prop_1',
              name: 'x',
              team_id: 'team_mine',
              mode: 'live',
              created_at: new Date(),
              updated_at: new Date(),
            },
          ],
        });
      });
      expect(await ids()).toEqual(['prop_1']);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
  });

  it('provides no client of a single team', async () => {
    await expect(inSystemTransaction(async () => scopedDb(mine))).rejects.toThrow(/nothing else can be reached/);
    await expect(inSystemTransaction(() => inTransaction(mine, async () => {}))).rejects.toThrow(
      /nothing else can be reached/,
    );
  });
});

/** Finds the files below src that match a pattern, without tests. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^generated/.test(file))
    .filter((file) => pattern.test(readFileSync(`src/${file}`, 'utf8')))
    .sort();
}

it('no function takes a transaction or client as a parameter, and only two files open a transaction directly', () => {
  const OWN_FOLDER = /^infra\/db\//;
  const handed =
    /(?<!const )\b(tx|db|trx|transaction)\??\s*(: [\w.]*(Db|Client)\b|: Pick<PrismaClient|= (scoped|system|transaction)Db\()/;
  expect(filesWith(handed).filter((file) => !OWN_FOLDER.test(file))).toEqual([]);
  expect(filesWith(/\.\$transaction\(/)).toEqual(['infra/db/commit-with-answer.ts', 'infra/db/transaction.ts']);
});
