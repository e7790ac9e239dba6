/**
 * Tests claims on custom domains: several teams may claim a domain, but the database allows only
 * one to verify it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { createProperty, updateProperty } from '../service';
import { type DomainDnsRecordLookupFunction, verifyCustomDomain } from './custom-domain.service';

const DOMAIN = 'rules.example.com';
let ada: Scope;
let mallory: Scope;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  installFakeClock('2026-06-01T10:00:00Z');
  ada = await insertTeam();
  mallory = await insertTeam('live', 'mallory@example.com');
});
afterEach(() => setClock(null));

const claim = (scope: Scope) =>
  createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', custom_domain: DOMAIN }));
const found: DomainDnsRecordLookupFunction = async ({ txt_value }) => ({ cname: [], txt: [txt_value] });
const taken = { code: 'custom_domain_taken', status: 409 };
const verified = async () =>
  (
    await systemDb().property.findMany({
      where: { custom_domain: DOMAIN, custom_domain_verified_at: { not: null } },
      select: { id: true },
    })
  ).map(({ id }) => id);

it('an unverified claim does not prevent the owner of the domain from claiming and verifying it', async () => {
  await claim(mallory);
  const hers = await claim(ada);
  expect((await verifyCustomDomain(ada, hers.id, found)).verdict.verified).toBe(true);
  expect(await verified()).toEqual([hers.id]);
});

it('a domain verified by another team is refused for new and for changed properties', async () => {
  const hers = await claim(ada);
  await verifyCustomDomain(ada, hers.id, found);
  await expect(claim(mallory)).rejects.toMatchObject({ code: taken.code });
  const other = await createProperty(mallory, PropertyCreate.parse({ name: 'Other' }));
  const change = updateProperty(mallory, other.id, { custom_domain: DOMAIN }, null);
  await expect(change).rejects.toMatchObject({ code: taken.code });
});

it('the newer proof wins the domain when two claims were made before either was verified', async () => {
  const [first, second] = [await claim(mallory), await claim(ada)];
  await verifyCustomDomain(mallory, first.id, found);
  expect(await verified()).toEqual([first.id]);
  await verifyCustomDomain(ada, second.id, found);
  expect(await verified()).toEqual([second.id]);
});

it('only one of two simultaneous verifications wins the domain', async () => {
  const [first, second] = [await claim(mallory), await claim(ada)];
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 ? verifyCustomDomain(ada, second.id, found) : verifyCustomDomain(mallory, first.id, found),
    ),
  );
  for (const result of results)
    if (result.status === 'rejected')
      expect(['custom_domain_taken', 'concurrent_edit']).toContain((result.reason as { code: string }).code);
  expect(await verified()).toHaveLength(1);
});
