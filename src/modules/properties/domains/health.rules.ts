/**
 * What an answer of the DNS does to a property's claim on its custom domain. The TXT record alone counts: it is the proof. A
 * DNS that does not answer says nothing. Pure.
 */
import type { RecordState } from './custom-domain.rules';

/** A verified domain is given up after so many negative answers in a row, and not sooner than this after the first. */
export const LAPSE = { answers: 3, ms: 6 * 3_600_000 } as const;

export interface DomainHealth {
  custom_domain_verified_at: Date | null;
  /** When the proof was last found. */
  custom_domain_confirmed_at: Date | null;
  /** Negative answers since then, and when the first of them came. */
  custom_domain_failures: number;
  custom_domain_failing_since: Date | null;
  /** Verified once and given up; it is verified again by itself when the proof is back. */
  custom_domain_lapsed_at: Date | null;
}

/** A claim that nothing is known of. */
export const UNKNOWN: DomainHealth = {
  custom_domain_verified_at: null,
  custom_domain_confirmed_at: null,
  custom_domain_failures: 0,
  custom_domain_failing_since: null,
  custom_domain_lapsed_at: null,
};

export type DomainOutcome = 'verified' | 'restored' | 'confirmed' | 'doubted' | 'lapsed' | 'unchanged';

/** The health after an answer, and what that means. `row` may be the whole property. */
export function afterAnswer(
  row: DomainHealth,
  txt: RecordState,
  now: Date,
): { outcome: DomainOutcome; health: DomainHealth } {
  const before = healthOf(row);
  const { custom_domain_verified_at: verified_at, custom_domain_lapsed_at: lapsed_at } = before;
  if (txt === 'unanswered') return { outcome: 'unchanged', health: before };
  if (txt === 'found') {
    const outcome = verified_at ? 'confirmed' : lapsed_at ? 'restored' : 'verified';
    const health = { ...UNKNOWN, custom_domain_verified_at: verified_at ?? now, custom_domain_confirmed_at: now };
    return { outcome, health };
  }
  if (!verified_at) return { outcome: 'unchanged', health: before };
  const failing_since = before.custom_domain_failing_since ?? now;
  const failures = before.custom_domain_failures + 1;
  if (failures >= LAPSE.answers && now.getTime() - failing_since.getTime() >= LAPSE.ms)
    return { outcome: 'lapsed', health: lapsed(now) };
  return {
    outcome: 'doubted',
    health: { ...before, custom_domain_failures: failures, custom_domain_failing_since: failing_since },
  };
}

const healthOf = (row: DomainHealth): DomainHealth => ({
  custom_domain_verified_at: row.custom_domain_verified_at,
  custom_domain_confirmed_at: row.custom_domain_confirmed_at,
  custom_domain_failures: row.custom_domain_failures,
  custom_domain_failing_since: row.custom_domain_failing_since,
  custom_domain_lapsed_at: row.custom_domain_lapsed_at,
});

/** A domain that was given up. */
export const lapsed = (now: Date): DomainHealth => ({ ...UNKNOWN, custom_domain_lapsed_at: now });

export type DomainState = 'unverified' | 'verified' | 'failing' | 'lapsed';

/** The state in a word. */
export function domainState(health: DomainHealth): DomainState {
  if (health.custom_domain_lapsed_at) return 'lapsed';
  if (!health.custom_domain_verified_at) return 'unverified';
  return health.custom_domain_failing_since ? 'failing' : 'verified';
}
