/**
 * Verifies through DNS that a custom domain belongs to a host (rules in custom-domain.rules.ts).
 */
import { Resolver } from 'node:dns/promises';
import { config, getAppSecret } from '@/config';
import type { Property } from '@/generated/prisma/client';
import { deriveTokenFromMasterSecret } from '@/infra/encryption';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from '../repository';
import { retrieveProperty } from '../service';
import {
  type CustomDomainDnsRecords,
  checkDomainDnsRecords,
  type DomainDnsRecordCheckResult,
  type ExpectedDomainDnsRecords,
  getTxtRecordName,
} from './custom-domain.rules';
import { removeDomainFromOtherProperties, saveDnsLookupResult } from './health.service';

/** Looks up the CNAME and TXT records of a domain. Never throws. */
export type DomainDnsRecordLookupFunction = (expected: ExpectedDomainDnsRecords) => Promise<CustomDomainDnsRecords>;

const TRY_MS = 2_000;
const TRIES = 2;
/**
 * The time limit for the CNAME and TXT lookups together. After it, the DNS server counts as
 * unresponsive.
 */
const LOOKUP_MS = 6_000;

/** Returns the DNS records that the property's domain must have, or null when it has no domain. */
export function getExpectedDnsRecords(
  property: Pick<Property, 'id' | 'custom_domain'>,
): ExpectedDomainDnsRecords | null {
  if (!property.custom_domain) return null;
  return {
    domain: property.custom_domain,
    cname_target: new URL(config().app_url).hostname,
    txt_name: getTxtRecordName(property.custom_domain),
    txt_value: `threshold-verify=${deriveTokenFromMasterSecret(getAppSecret(), 'custom-domain', `${property.id} ${property.custom_domain}`, 1)}`,
  };
}

/** Looks up the records with this machine's DNS resolvers. */
export const queryDns: DomainDnsRecordLookupFunction = async (expected) => {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_MS);
  const answer = (records: Promise<string[]>) =>
    records.catch((error: { code?: string }) => ({ error: error.code ?? 'EUNKNOWN' }));
  try {
    const [cname, txt] = await Promise.all([
      answer(resolver.resolveCname(expected.domain)),
      answer(resolver.resolveTxt(expected.txt_name).then((records) => records.map((parts) => parts.join('')))),
    ]);
    return { cname, txt };
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Looks up the records and saves the result. If they prove the domain, another property that had
 * proved it loses the domain. Throws resource_missing, missing_required_field, custom_domain_taken
 * and concurrent_edit.
 */
export async function verifyCustomDomain(
  scope: Scope,
  id: string,
  lookup: DomainDnsRecordLookupFunction = queryDns,
): Promise<{ property: Property; verdict: DomainDnsRecordCheckResult }> {
  const expected = getExpectedDnsRecords(await retrieveProperty(scope, id));
  if (!expected) throw new AppError('missing_required_field', { param: 'custom_domain' });
  // The lookup takes seconds, so it is not part of a transaction.
  const verdict = checkDomainDnsRecords(expected, await lookup(expected));
  const before = await retrieveProperty(scope, id);
  if (before.custom_domain !== expected.domain) throw new AppError('concurrent_edit');
  if (verdict.verified && !before.custom_domain_verified_at)
    await removeDomainFromOtherProperties(expected.domain, scope.mode, 'taken_over', id);
  const { property } = await saveDnsLookupResult(scope, before, expected.domain, verdict.txt);
  return { property, verdict };
}

/**
 * Looks up at most `limit` verified domains. Returns a sentence for each record that is not as
 * expected.
 */
export async function checkDnsOfVerifiedDomains(
  limit = 50,
  lookup: DomainDnsRecordLookupFunction = queryDns,
): Promise<{ asked: number; problems: string[] }> {
  const properties = await repository.findVerifiedDomains(limit);
  const problems = await Promise.all(
    properties.map(async (property) => {
      const expected = getExpectedDnsRecords(property);
      const verdict = expected && checkDomainDnsRecords(expected, await lookup(expected));
      const lost = (['cname', 'txt'] as const).filter((kind) => verdict && verdict[kind] !== 'found');
      return lost.map((kind) => `${property.custom_domain}: its ${kind.toUpperCase()} record is ${verdict?.[kind]}.`);
    }),
  );
  return { asked: properties.length, problems: problems.flat() };
}

/** Returns whether the name is a property's subdomain or its verified custom domain. */
export async function isPropertyHostName(name: string): Promise<boolean> {
  // The name comes from a request header, so it is untrusted.
  if (!/^[a-z0-9.-]{1,253}$/.test(name)) return false;
  const main = new URL(config().app_url).hostname;
  const subdomain = name.endsWith(`.${main}`) ? name.slice(0, -main.length - 1) : null;
  return repository.isDomainOfAnyProperty(subdomain ? { subdomain } : { custom_domain: name });
}
