/** Checks in the DNS that a custom domain is the host's own (rules in custom-domain.rules.ts), and remembers it. */
import { Resolver } from 'node:dns/promises';
import { appSecret, config } from '@/config';
import { recordEvent } from '@/events/record';
import type { Property } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { deriveToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import {
  type DomainExpectation,
  type DomainRecords,
  type DomainVerdict,
  judgeDomain,
  txtName,
} from './custom-domain.rules';
import * as repository from './repository';
import { serializeProperty } from './serializer';
import { retrieveProperty } from './service';

/** Asks the DNS for both records of a domain; never throws. */
export type DomainLookup = (expected: DomainExpectation) => Promise<DomainRecords>;

const TRY_MS = 2_000;
const TRIES = 2;
/** For both records together; a resolver that keeps us waiting longer has not answered. */
const LOOKUP_MS = 6_000;

/** What the DNS of the property's domain has to say; null when it has none. */
export function expectedRecords(property: Pick<Property, 'id' | 'custom_domain'>): DomainExpectation | null {
  if (!property.custom_domain) return null;
  return {
    domain: property.custom_domain,
    cname_target: new URL(config().app_url).hostname,
    txt_name: txtName(property.custom_domain),
    txt_value: `threshold-verify=${deriveToken(appSecret(), 'custom-domain', `${property.id} ${property.custom_domain}`, 1)}`,
  };
}

const askDns: DomainLookup = async (expected) => {
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
 * Looks the domain up now and saves that it was verified, once. A domain that was verified stays so when the DNS does
 * not answer; changing the domain is what clears it. Throws resource_missing, missing_required_field (`custom_domain`),
 * concurrent_edit.
 */
export async function verifyCustomDomain(
  scope: Scope,
  id: string,
  lookup: DomainLookup = askDns,
): Promise<{ property: Property; verdict: DomainVerdict }> {
  const property = await retrieveProperty(scope, id);
  const expected = expectedRecords(property);
  if (!expected) throw new AppError('missing_required_field', { param: 'custom_domain' });
  // Not inside the transaction: a lookup takes seconds, and an open transaction holds everyone up.
  const verdict = judgeDomain(expected, await lookup(expected));
  if (!verdict.verified || property.custom_domain_verified_at) return { property, verdict };
  return { verdict, property: await saveVerified(scope, id, expected.domain) };
}

/** Looks every verified domain of the installation up, at most `limit`, and says of which the DNS no longer leads here. */
export async function customDomainProblems(
  limit = 50,
  lookup: DomainLookup = askDns,
): Promise<{ asked: number; problems: string[] }> {
  const properties = await repository.findVerifiedDomains(limit);
  const problems = await Promise.all(
    properties.map(async (property) => {
      const expected = expectedRecords(property);
      const verdict = expected && judgeDomain(expected, await lookup(expected));
      const lost = (['cname', 'txt'] as const).filter((kind) => verdict && verdict[kind] !== 'found');
      return lost.map((kind) => `${property.custom_domain}: its ${kind.toUpperCase()} record is ${verdict?.[kind]}.`);
    }),
  );
  return { asked: properties.length, problems: problems.flat() };
}

async function saveVerified(scope: Scope, id: string, domain: string): Promise<Property> {
  return inTransaction(scope, async () => {
    const before = await retrieveProperty(scope, id);
    // The domain may have been changed while the DNS was asked about the old one.
    if (before.custom_domain !== domain) throw new AppError('concurrent_edit');
    const now = clock().now();
    const changes = { custom_domain_verified_at: now, updated_at: now };
    const row = await repository.saveProperty(scope, id, before.version, changes);
    if (!row) throw new AppError('concurrent_edit');
    const previous_attributes = { custom_domain_verified_at: before.custom_domain_verified_at?.toISOString() ?? null };
    await recordEvent(scope, {
      type: 'property.updated',
      object_id: id,
      data: { object: serializeProperty(row), previous_attributes },
    });
    return row;
  });
}

/** Whether a name belongs to a property: its subdomain of the main host, or its custom domain once verified. */
export async function isVanityHost(name: string): Promise<boolean> {
  // The name is whatever somebody sent.
  if (!/^[a-z0-9.-]{1,253}$/.test(name)) return false;
  const main = new URL(config().app_url).hostname;
  const subdomain = name.endsWith(`.${main}`) ? name.slice(0, -main.length - 1) : null;
  return repository.hasHostName(subdomain ? { subdomain } : { custom_domain: name });
}
