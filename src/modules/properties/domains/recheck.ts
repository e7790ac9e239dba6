/** Regularly looks up custom domains, because domains are sold and expire. */

import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { isAppError } from '@/shared/errors';
import { createSystemScope } from '@/shared/scope';
import * as repository from '../repository';
import { checkDomainDnsRecords } from './custom-domain.rules';
import { type DomainDnsRecordLookupFunction, getExpectedDnsRecords, queryDns } from './custom-domain.service';
import { saveDnsLookupResult } from './health.service';

/** The interval between two lookups of a domain. */
export const DOMAIN_RECHECK_INTERVAL_MS = 50 * 60_000;
const LAPSED_LATELY_MS = 24 * 3_600_000;
const AT_ONCE = 8;
const MOST = 2_000;

/** Looks up every verified or lapsed domain that is due. */
export async function lookUpDnsOfDueCustomDomains(lookup: DomainDnsRecordLookupFunction = queryDns) {
  const report = { asked: 0, restored: 0 };
  const due = await repository.findCustomDomainsToCheck(
    new Date(clock().now().getTime() - DOMAIN_RECHECK_INTERVAL_MS),
    MOST,
  );
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = due.shift(); next; next = due.shift()) await recheck(next, lookup, report);
    }),
  );
  // Also returns recently lapsed domains, so that the caller can replace links on them.
  const lapsed = await repository.findPropertiesWithDomainLapsedSince(
    new Date(clock().now().getTime() - LAPSED_LATELY_MS),
  );
  return { ...report, lapsed };
}

type Due = Awaited<ReturnType<typeof repository.findCustomDomainsToCheck>>[number];

async function recheck(
  due: Due,
  lookup: DomainDnsRecordLookupFunction,
  report: { asked: number; restored: number },
): Promise<void> {
  const scope = createSystemScope(due.team_id, due.mode, 'domain-check');
  // If several processes run this at the same time, only one of them claims the lookup.
  const property = await repository.claimCustomDomainCheck(scope, due, clock().now());
  const expected = property && getExpectedDnsRecords(property);
  if (!property || !expected) return;
  report.asked += 1;
  const { txt } = checkDomainDnsRecords(expected, await lookup(expected));
  try {
    const { outcome } = await saveDnsLookupResult(scope, property, expected.domain, txt);
    if (outcome === 'restored') report.restored += 1;
  } catch (error) {
    // The property was edited, or another property has the domain. The next run looks it up again.
    if (!isAppError(error)) throw error;
    logger().info({ property_id: property.id, code: error.code }, 'a custom domain was not changed');
  }
}
