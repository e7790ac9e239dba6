import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toAppError } from '@/api/trpc/error-translation';
import { nudgeRelay, onNudge } from '@/events/nudge';
import { recordEvent } from '@/events/record';
import { recordAudit } from '@/modules/audit-log/service';
import { queueMail } from '@/modules/mail/service';
import { appendTrail } from '@/modules/trail/service';
import type { Mode, Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeams } from '@/testing/team';
import { systemDb } from './client';
import { commitWithAnswer } from './commit-with-answer';
import { lockProperty, lockPropertyAgainstDeletion, lockTeam } from './locks';
import { openTransaction } from './open-transaction';
import { Prisma, scopedDb, scopedRows } from './scoped-client';
import { afterCommit, inSystemTransaction, inTransaction } from './transaction';

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
/** Identifies the transaction of a query. */
const NUMBER = (own: Scope) => Prisma.sql`SELECT txid_current()::text AS id FROM (SELECT 1) x
    WHERE ${own.team_id} = ${own.team_id} AND ${own.mode} = ${own.mode} -- team_id, mode`;
const number = async (own = mine) => (await scopedRows<{ id: string }>(own, NUMBER(own)))[0]?.id;

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_mine', 'team_other');
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().property.deleteMany();
});

/** Both kinds of transactions: a plain one, and that of an idempotent request. */
const WAYS: [string, <T>(work: () => Promise<T>) => Promise<T>][] = [
  ['a transaction', (work) => inTransaction(mine, work)],
  [
    'the transaction of an idempotent request',
    (work) =>
      commitWithAnswer(
        mine,
        () => inTransaction(mine, work),
        async () => {},
      ),
  ],
];

describe.each(WAYS)('inside %s', (_name, transaction) => {
  it('a nested call joins it, at once', async () => {
    const begun = performance.now();
    const [outer, inner, innermost] = await transaction(async () => [
      await number(),
      await inTransaction(mine, () => number()),
      await inTransaction({ ...mine, actor: { kind: 'guest' } }, () => inTransaction(mine, () => number())),
    ]);
    expect(inner).toBe(outer);
    expect(innermost).toBe(outer);
    // When it deadlocked, the embedded database took 15 s to give up.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('a prepared statement, which goes past Prisma, is in it', async () => {
    const [prepared, of_prisma, own] = await transaction(async () => {
      expect(openTransaction()?.runPrepared).toBeTruthy();
      await insert('prop_1');
      const of_prisma = await scopedDb(mine).$queryRaw<{ id: string }[]>(NUMBER(mine));
      const own = await scopedRows(
        mine,
        Prisma.sql`UPDATE properties SET name = 'Changed' WHERE team_id = ${mine.team_id} AND mode = ${mine.mode}::"Mode" RETURNING id`,
      );
      return [await number(), of_prisma[0]?.id, own];
    });
    expect(prepared).toBe(of_prisma);
    expect(own).toEqual([{ id: 'prop_1' }]);
    expect(await systemDb().property.findMany({ select: { name: true } })).toEqual([{ name: 'Changed' }]);
  });

  it('one that the database refuses takes all of it along, and is what a row that is gone is', async () => {
    const refused = transaction(async () => {
      await insert('prop_1');
      await scopedRows(
        mine,
        Prisma.sql`INSERT INTO packets (id, team_id, mode, property_id, name, created_at, updated_at)
          VALUES ('pkt_1', ${mine.team_id}, ${mine.mode}::"Mode", 'prop_gone', 'x', now(), now()) RETURNING id`,
      );
    });
    const error = await refused.catch((thrown) => toAppError(thrown));
    expect(error).toMatchObject({ code: 'concurrent_edit' });
    expect(await ids()).toEqual([]);
  });

  it('nested calls at once are in it too', async () => {
    const numbers = await transaction(() => Promise.all([1, 2, 3].map(() => inTransaction(mine, () => number()))));
    expect(new Set(numbers).size).toBe(1);
  });

  it('every query is its own: what rolls back leaves nothing', async () => {
    const refused = transaction(async () => {
      await insert('prop_1');
      await inTransaction(mine, () => insert('prop_2'));
      expect(await scopedDb(mine).property.count()).toBe(2);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
  });

  it('what threw inside takes all of it along, also where a caller goes on', async () => {
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
    'neither a client nor a transaction is had for %s',
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

  it('nor the client of all teams, which the embedded database would wait for', async () => {
    await expect(transaction(async () => systemDb())).rejects.toThrow(/all teams/);
    await expect(transaction(() => inSystemTransaction(async () => {}))).rejects.toThrow(/all teams/);
  });

  it('hooks run once, after the commit', async () => {
    const seen: string[][] = [];
    const hook = () => void ids().then((found) => seen.push(found));
    await transaction(async () => {
      await insert('prop_1');
      afterCommit(hook);
      await inTransaction(mine, async () => afterCommit(hook));
      expect(seen).toEqual([]);
    });
    await expect.poll(() => seen).toEqual([['prop_1']]);
  });

  it('hooks do not run when it rolls back', async () => {
    let ran = false;
    const refused = transaction(async () => {
      afterCommit(() => {
        ran = true;
      });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(ran).toBe(false);
  });

  it.each<[string, (run: () => void) => void]>([
    ['set going by a hook after the commit', (run) => afterCommit(run)],
    ['set going within, and still there afterwards', (run) => run()],
  ])('work that is %s has the plain client', async (_how, go) => {
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

it('what a request left running reaches neither its transaction nor another one’s hooks', async () => {
  let late: Promise<unknown> | undefined;
  await inTransaction(mine, async () => {
    late = sleep(20).then(() => afterCommit(() => {}));
    late.catch(() => {});
  });
  await expect(late).rejects.toThrow(/outside of a transaction/);
});

describe('an idempotent request', () => {
  it('commits its change and its answer together', async () => {
    const numbers: unknown[] = [];
    await commitWithAnswer(
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

  it('loses its change when the answer cannot be stored', async () => {
    const lost = commitWithAnswer(
      mine,
      () => inTransaction(mine, () => insert('prop_1')),
      () => Promise.reject(new Error('the lease was lost')),
    );
    await expect(lost).rejects.toThrow('the lease was lost');
    expect(await ids()).toEqual([]);
  });

  it('opens none when it writes nothing', async () => {
    const found = await commitWithAnswer(
      mine,
      () => ids(),
      async () => void (await ids()),
    );
    expect(found).toEqual([]);
  });

  it('is the bridge’s alone', () => {
    expect(filesWith(/commit-with-answer'/)).toEqual(['api/rest/handle-request.ts']);
  });
});

describe('outside of a transaction', () => {
  const item = { type: 'reservation.sent' };
  it.each<[string, () => unknown]>([
    ['an event', () => recordEvent(mine, { type: 'property.created', object_id: 'prop_1', data: { object: {} } })],
    ['an entry of the audit log', () => recordAudit(mine, { action: 'property.deleted' })],
    ['an entry of a trail', () => appendTrail(mine, 'res_1', [item], new Date())],
    ['a mail', () => queueMail(mine, { template: 'x', to: 'a@example.com', subject: 's', html: 'h', text: 't' })],
    ['the lock of a team', () => lockTeam(mine)],
    ['the hold of a property', () => lockPropertyAgainstDeletion(mine, 'prop_1')],
    ['the lock of a property', () => lockProperty(mine, 'prop_1')],
    ['a hook', () => afterCommit(() => {})],
  ])('%s is refused', async (_what, call) => {
    await expect((async () => call())()).rejects.toThrow(/in a transaction|outside of a transaction/);
  });

  it('a nudge is none of the relay’s: it is called in the context it registered in', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    onNudge(() => seen.push(context.getStore()));
    context.run('a request', nudgeRelay);
    onNudge(null);
    expect(seen).toEqual([undefined]);
  });
});

describe('a transaction over all teams', () => {
  it('is what systemDb gives inside, and is joined', async () => {
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

  it('gives no team’s client', async () => {
    await expect(inSystemTransaction(async () => scopedDb(mine))).rejects.toThrow(/nothing else can be reached/);
    await expect(inSystemTransaction(() => inTransaction(mine, async () => {}))).rejects.toThrow(
      /nothing else can be reached/,
    );
  });
});

/** Files below src, without tests, that match a pattern. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^generated/.test(file))
    .filter((file) => pattern.test(readFileSync(`src/${file}`, 'utf8')))
    .sort();
}

it('no signature takes a transaction or a client, and nobody but these opens one by hand', () => {
  const OWN_FOLDER = /^infra\/db\//;
  const handed =
    /(?<!const )\b(tx|db|trx|transaction)\??\s*(: [\w.]*(Db|Client)\b|: Pick<PrismaClient|= (scoped|system|transaction)Db\()/;
  expect(filesWith(handed).filter((file) => !OWN_FOLDER.test(file))).toEqual([]);
  expect(filesWith(/\.\$transaction\(/)).toEqual(['infra/db/commit-with-answer.ts', 'infra/db/transaction.ts']);
});
