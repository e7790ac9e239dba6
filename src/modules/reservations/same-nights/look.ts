/**
 * Finds bookings of the same nights and tells the owners, once for each pair. Whoever writes a reservation marks its nights as
 * changed (`nights_changed`, which every new row is); what is marked is looked at here, some time after its commit, so that of
 * two written at once at least the later look sees both. The mail goes with the pair's row: of two looks at once one writes it.
 */
import { config } from '@/config';
import { renderSameNightsEmail } from '@/emails/same-nights';
import { lockNightsOf } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { findOwnerEmails } from '@/modules/accounts/owners';
import { queueMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { type Scope, systemScope } from '@/shared/scope';
import * as repository from './repository';
import { pairOf } from './same-nights.rules';
import { type ComparedStay, relatedStays } from './service';

const BATCH = 200;
const ATTEMPTS = 3;

type Clash = { one: repository.StayRow; other: repository.StayRow };

/** Looks at all nights that changed, of all teams. What fails is looked at again by the next. How many pairs owners were told of. */
export async function lookAtChangedNights(): Promise<{ looked: number; told: number }> {
  const total = { looked: 0, told: 0 };
  for (let after = ''; ; ) {
    const [first] = await repository.findChanged({ after }, 1);
    if (!first) return total;
    after = first.property_id;
    try {
      const { looked, told } = await lookAtProperty(systemScope(first.team_id, first.mode, 'same-nights'), after);
      total.looked += looked;
      total.told += told;
    } catch (error) {
      logger().error({ err: error, property_id: after }, 'the nights of a property could not be compared');
    }
  }
}

/** The same for one property. */
export async function lookAtProperty(scope: Scope, property_id: string): Promise<{ looked: number; told: number }> {
  const total = { looked: 0, told: 0 };
  for (;;) {
    const rows = await repository.findChanged({ property_id }, BATCH);
    if (rows.length === 0) return total;
    total.told += await look(scope, property_id, rows);
    total.looked += rows.length;
    // Those that changed meanwhile are marked still, and are the next look's.
    if (rows.length < BATCH) return total;
  }
}

/** The mails about some pairs. */
interface Told {
  readonly pairs: string;
  send(): Promise<void>;
}

const NOBODY: Told = { pairs: '', send: async () => {} };

async function look(scope: Scope, property_id: string, rows: readonly repository.Changed[]): Promise<number> {
  let told = NOBODY;
  for (let attempt = 1; ; attempt += 1) {
    const step = await inTransaction(scope, async (): Promise<number | Clash[]> => {
      // Held while it is compared: whoever adds a calendar's bookings meanwhile is waited for (`isOnlySource`).
      if (!(await lockNightsOf(scope, property_id))) return 0;
      const { fresh, over } = await compare(
        scope,
        rows.map(({ id }) => id),
      );
      // Mails are made outside of the transaction: then it is compared once more, and comes to the same.
      if (pairsOf(fresh) !== told.pairs) return fresh;
      const pairs = fresh.map(({ one, other }) => pairOf(one.id, other.id));
      if (pairs.length > 0) await repository.insertPairs(scope, pairs, clock().now());
      await repository.deletePairs(scope, over);
      await repository.settle(scope, rows);
      await told.send();
      return fresh.length;
    });
    if (typeof step === 'number') return step;
    if (attempt === ATTEMPTS) throw new Error('Other nights at each look.');
    told = { pairs: pairsOf(step), send: await prepareMail(scope, property_id, step) };
  }
}

const pairsOf = (clashes: readonly Clash[]) =>
  clashes.map(({ one, other }) => pairOf(one.id, other.id).join(' ')).join();

/** The pairs of which nobody was told, and those that are pairs no more. */
async function compare(scope: Scope, ids: readonly string[]) {
  const clashes = clashesOf(await relatedStays(scope, ids));
  const pairs = await repository.listPairs(scope, ids);
  const known = new Set(pairs.map(({ reservation_id, other_id }) => `${reservation_id} ${other_id}`));
  return {
    fresh: [...clashes].filter(([key]) => !known.has(key)).map(([, clash]) => clash),
    over: pairs.filter(({ reservation_id, other_id }) => !clashes.has(`${reservation_id} ${other_id}`)),
  };
}

/** By the pair's two ids, in their order. */
function clashesOf(compared: ReadonlyMap<string, ComparedStay>): Map<string, Clash> {
  const clashes = new Map<string, Clash>();
  for (const { stay: one, related } of compared.values()) {
    for (const { as, other } of related) {
      if (as === 'conflict') clashes.set(pairOf(one.id, other.id).join(' '), { one, other });
    }
  }
  return clashes;
}

async function prepareMail(scope: Scope, property_id: string, clashes: readonly Clash[]): Promise<() => Promise<void>> {
  const property_name = clashes.length > 0 ? await repository.findPropertyName(scope, property_id) : null;
  const [first] = clashes;
  if (!first || property_name === null) return async () => {};
  const { app_url } = config();
  const content = await renderSameNightsEmail({
    property_name,
    pairs: clashes.map(({ one, other }) => ({ one: named(one), other: named(other) })),
    dashboard_url:
      clashes.length === 1
        ? `${app_url}/reservations/${first.one.id}`
        : `${app_url}/reservations?attention=same_nights&property=${property_id}`,
  });
  const owners = await findOwnerEmails(scope.team_id);
  return async () => {
    for (const to of owners) await queueMail(scope, { ...content, template: 'same_nights', to });
  };
}

const SOURCES: Record<repository.StayRow['source'], string> = {
  channel_a: 'Channel A',
  channel_b: 'Channel B',
  channel_c: 'Channel C',
  direct: 'another calendar',
};

const named = (stay: repository.StayRow) => ({
  ...stay,
  source_label: stay.sync_source_id ? SOURCES[stay.source] : 'made in the dashboard or through the API',
});
