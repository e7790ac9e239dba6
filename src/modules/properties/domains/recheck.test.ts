/**
 * Tests a custom domain over time: it is looked up each hour, lapses after repeated failures, and
 * is restored automatically.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { buildSigningUrl } from '@/modules/links/urls';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { createProperty, retrieveProperty, updateProperty } from '../service';
import { type DomainDnsRecordLookupFunction, isPropertyHostName, verifyCustomDomain } from './custom-domain.service';
import { getCustomDomainStatus, removeDomainFromOtherProperties } from './health.service';
import { lookUpDnsOfDueCustomDomains } from './recheck';

const HOUR = 3_600_000;
const DOMAIN = 'rules.example.com';
let scope: Scope;
let time: FakeClock;
let id: string;

const found: DomainDnsRecordLookupFunction = async ({ txt_value }) => ({ cname: [], txt: [txt_value] });
const missing: DomainDnsRecordLookupFunction = async () => ({ cname: [], txt: { error: 'ENOTFOUND' } });
const silent: DomainDnsRecordLookupFunction = async () => ({
  cname: { error: 'ETIMEOUT' },
  txt: { error: 'ESERVFAIL' },
});

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-06-01T10:00:00Z');
  scope = await insertTeam();
  ({ id } = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', custom_domain: DOMAIN })));
  await verifyCustomDomain(scope, id, found);
});
afterEach(() => setClock(null));

const hours = async (count: number, lookup: DomainDnsRecordLookupFunction) => {
  for (let hour = 0; hour < count; hour += 1) {
    time.advance(HOUR);
    await lookUpDnsOfDueCustomDomains(lookup);
  }
};
const property = () => retrieveProperty(scope, id);
const state = async () => getCustomDomainStatus(await property()).state;
const linkHost = async () => new URL(buildSigningUrl(await property(), 'res_1', 1)).hostname;
const mails = () => systemDb().mailMessage.findMany({ where: { template: 'domain_lapsed' } });
const updates = () => systemDb().event.count({ where: { type: 'property.updated' } });

it('a domain whose record is missing gets no new links at once, and is not served after some hours', async () => {
  expect(await linkHost()).toBe(DOMAIN);
  await hours(1, missing);
  expect([await state(), await linkHost(), await isPropertyHostName(DOMAIN)]).toEqual(['failing', 'localhost', true]);
  await hours(5, missing);
  expect([await state(), (await mails()).length]).toEqual(['failing', 0]);
  await hours(1, missing);
  expect([await state(), await linkHost(), await isPropertyHostName(DOMAIN)]).toEqual(['lapsed', 'localhost', false]);
  expect((await property()).custom_domain_verified_at).toBeNull();
  expect(await mails()).toMatchObject([{ to: 'owner@example.com', team_id: scope.team_id }]);
  // The verification and the lapse each create an event. Other lookups do not.
  expect(await updates()).toBe(2);
});

it('a lapsed domain is restored when the record reappears, and the owner is mailed once for each lapse', async () => {
  await hours(8, missing);
  await hours(1, found);
  expect([await state(), await linkHost(), await isPropertyHostName(DOMAIN)]).toEqual(['verified', DOMAIN, true]);
  await hours(8, missing);
  expect(await mails()).toHaveLength(2);
});

it('a DNS that does not answer ends no domain, but after a day new links avoid the domain', async () => {
  await hours(23, silent);
  expect([await state(), await linkHost()]).toEqual(['verified', DOMAIN]);
  await hours(2, silent);
  expect([await state(), await linkHost(), await isPropertyHostName(DOMAIN)]).toEqual(['verified', 'localhost', true]);
  await hours(1, found);
  expect(await linkHost()).toBe(DOMAIN);
});

it('repeated negative answers within minutes end no domain, and a positive answer resets the count', async () => {
  for (let press = 0; press < 10; press += 1) await verifyCustomDomain(scope, id, missing);
  expect(await state()).toBe('failing');
  await hours(1, found);
  await hours(6, missing);
  expect(await state()).toBe('failing');
});

it('each domain is looked up once an hour, however many processes run', async () => {
  time.advance(HOUR);
  const reports = await Promise.all(Array.from({ length: 10 }, () => lookUpDnsOfDueCustomDomains(found)));
  expect(reports.reduce((sum, { asked }) => sum + asked, 0)).toBe(1);
});

it('an unverified claim is not looked up, and a changed domain starts unverified', async () => {
  await hours(8, missing);
  await updateProperty(scope, id, { custom_domain: 'other.example.com' }, null);
  expect(await state()).toBe('unverified');
  time.advance(HOUR);
  expect(await lookUpDnsOfDueCustomDomains(found)).toMatchObject({ asked: 0, restored: 0 });
});

it('a domain released by an operator is not restored while another property has it', async () => {
  const other = await insertTeam('live', 'new@example.com');
  expect(await removeDomainFromOtherProperties(DOMAIN, 'live', 'released')).toHaveLength(1);
  expect(await mails()).toHaveLength(1);
  const claimed = await createProperty(other, PropertyCreate.parse({ name: 'New', custom_domain: DOMAIN }));
  await verifyCustomDomain(other, claimed.id, found);
  // The lookups find the DNS records of both teams.
  await hours(3, found);
  expect(await state()).toBe('lapsed');
  expect((await retrieveProperty(other, claimed.id)).custom_domain_verified_at).not.toBeNull();
});

it('another team may claim a domain once its proof is missing', async () => {
  const other = await insertTeam('live', 'buyer@example.com');
  const claim = () => createProperty(other, PropertyCreate.parse({ name: 'New', custom_domain: DOMAIN }));
  await expect(claim()).rejects.toMatchObject({ code: 'custom_domain_taken' });
  await hours(1, missing);
  const { id: claimed } = await claim();
  await verifyCustomDomain(other, claimed, found);
  expect(await state()).toBe('lapsed');
});
