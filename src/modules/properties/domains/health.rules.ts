/**
 * Decides how a DNS lookup changes a property's claim on its custom domain. Only the TXT record
 * matters, because it is the proof. A failed lookup changes nothing. Pure.
 */
import type { DnsRecordState } from './custom-domain.rules';

/**
 * A verified domain lapses after this many consecutive lookups without the proof, over at least
 * this time.
 */
export const MIN_FAILED_LOOKUPS_AND_MS_TO_LAPSE_DOMAIN = { answers: 3, ms: 6 * 3_600_000 } as const;

export interface DomainHealth {
  custom_domain_verified_at: Date | null;
  /** The last time at which a lookup found the proof. */
  custom_domain_confirmed_at: Date | null;
  /**
   * The number of consecutive lookups without the proof. `custom_domain_failing_since` is the time
   * of the first of these lookups.
   */
  custom_domain_failures: number;
  custom_domain_failing_since: Date | null;
  /** When the domain lapsed. If the proof reappears, the domain is restored automatically. */
  custom_domain_lapsed_at: Date | null;
}

/** The state of a domain that was never looked up. */
export const UNCHECKED_DOMAIN_HEALTH: DomainHealth = {
  custom_domain_verified_at: null,
  custom_domain_confirmed_at: null,
  custom_domain_failures: 0,
  custom_domain_failing_since: null,
  custom_domain_lapsed_at: null,
};

export type DomainLookupOutcome = 'verified' | 'restored' | 'confirmed' | 'doubted' | 'lapsed' | 'unchanged';

/** Returns the domain's health after a lookup. `row` may contain other columns of the property. */
export function computeDomainHealthAfterLookup(
  row: DomainHealth,
  txt: DnsRecordState,
  now: Date,
): { outcome: DomainLookupOutcome; health: DomainHealth } {
  const before = healthOf(row);
  const { custom_domain_verified_at: verified_at, custom_domain_lapsed_at: lapsed_at } = before;
  if (txt === 'unanswered') return { outcome: 'unchanged', health: before };
  if (txt === 'found') {
    const outcome = verified_at ? 'confirmed' : lapsed_at ? 'restored' : 'verified';
    const health = {
      ...UNCHECKED_DOMAIN_HEALTH,
      custom_domain_verified_at: verified_at ?? now,
      custom_domain_confirmed_at: now,
    };
    return { outcome, health };
  }
  if (!verified_at) return { outcome: 'unchanged', health: before };
  const failing_since = before.custom_domain_failing_since ?? now;
  const failures = before.custom_domain_failures + 1;
  if (
    failures >= MIN_FAILED_LOOKUPS_AND_MS_TO_LAPSE_DOMAIN.answers &&
    now.getTime() - failing_since.getTime() >= MIN_FAILED_LOOKUPS_AND_MS_TO_LAPSE_DOMAIN.ms
  )
    return { outcome: 'lapsed', health: createHealthRecordOfLapsedDomain(now) };
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

/** Returns the health of a lapsed domain. */
export const createHealthRecordOfLapsedDomain = (now: Date): DomainHealth => ({
  ...UNCHECKED_DOMAIN_HEALTH,
  custom_domain_lapsed_at: now,
});

export type CustomDomainState = 'unverified' | 'verified' | 'failing' | 'lapsed';

export function getDomainState(health: DomainHealth): CustomDomainState {
  if (health.custom_domain_lapsed_at) return 'lapsed';
  if (!health.custom_domain_verified_at) return 'unverified';
  return health.custom_domain_failing_since ? 'failing' : 'verified';
}
