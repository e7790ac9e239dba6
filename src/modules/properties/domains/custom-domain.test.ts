import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { deleteProperty } from '@/modules/export-and-deletion/property-deletion.service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { createProperty, retrieveProperty, updateProperty } from '../service';
import {
  type CustomDomainDnsRecords,
  checkDomainDnsRecords,
  type ExpectedDomainDnsRecords,
} from './custom-domain.rules';
import { type DomainDnsRecordLookupFunction, getExpectedDnsRecords, verifyCustomDomain } from './custom-domain.service';

const expected: ExpectedDomainDnsRecords = {
  domain: 'rules.example.com',
  cname_target: 'app.example.net',
  txt_name: '_threshold.rules.example.com',
  txt_value: 'threshold-verify=abc',
};
const nothing = { error: 'ENOTFOUND' };

describe('checkDomainDnsRecords', () => {
  it.each<[string, CustomDomainDnsRecords, boolean, string, string]>([
    ['a CNAME to our host alone', { cname: ['app.example.net'], txt: nothing }, false, 'found', 'missing'],
    ['a CNAME in other case with its dot', { cname: ['APP.example.net.'], txt: nothing }, false, 'found', 'missing'],
    [
      'a CNAME to our host with the token of a deleted property',
      { cname: ['app.example.net'], txt: ['threshold-verify=old'] },
      false,
      'found',
      'different',
    ],
    ['both records', { cname: ['app.example.net'], txt: ['threshold-verify=abc'] }, true, 'found', 'found'],
    [
      'a TXT record among others',
      { cname: nothing, txt: ['v=spf1', 'threshold-verify=abc'] },
      true,
      'missing',
      'found',
    ],
    ['a CNAME to another host', { cname: ['other.net'], txt: nothing }, false, 'different', 'missing'],
    [
      'a host that only ends like ours',
      { cname: ['evilapp.example.net'], txt: nothing },
      false,
      'different',
      'missing',
    ],
    ['another property’s token', { cname: nothing, txt: ['threshold-verify=abd'] }, false, 'missing', 'different'],
    ['a failing DNS', { cname: { error: 'ETIMEOUT' }, txt: { error: 'ESERVFAIL' } }, false, 'unanswered', 'unanswered'],
    ['no records', { cname: [], txt: [] }, false, 'missing', 'missing'],
  ])('reads %s as verified: $2', (_name, records, verified, cname, txt) => {
    expect(checkDomainDnsRecords(expected, records)).toMatchObject({ verified, cname, txt });
  });
});

describe('verifyCustomDomain', () => {
  let scope: Scope;
  const found: DomainDnsRecordLookupFunction = async ({ txt_value }) => ({ cname: nothing, txt: [txt_value] });
  const missing: DomainDnsRecordLookupFunction = async () => ({ cname: nothing, txt: nothing });

  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await clearDatabase();
    installFakeClock('2026-06-01T10:00:00Z');
    scope = await insertTeam();
  });
  afterEach(() => setClock(null));

  const insert = (custom_domain: string | null) =>
    createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', custom_domain }));
  const updates = () => systemDb().event.count({ where: { type: 'property.updated' } });

  it('stores a found record with one event, however often it runs', async () => {
    const { id } = await insert('rules.example.com');
    const first = await verifyCustomDomain(scope, id, found);
    expect(first.property.custom_domain_verified_at?.toISOString()).toBe('2026-06-01T10:00:00.000Z');
    await verifyCustomDomain(scope, id, found);
    expect(await updates()).toBe(1);
  });

  it('writes nothing when the record is missing, and keeps an earlier verification', async () => {
    const { id } = await insert('rules.example.com');
    expect((await verifyCustomDomain(scope, id, missing)).property.custom_domain_verified_at).toBeNull();
    expect(await updates()).toBe(0);
    await verifyCustomDomain(scope, id, found);
    const again = await verifyCustomDomain(scope, id, missing);
    expect(again.verdict.verified).toBe(false);
    expect(again.property.custom_domain_verified_at).not.toBeNull();
    expect(await updates()).toBe(1);
  });

  it('does not give a domain whose CNAME a deleted property left behind to the next claimant', async () => {
    const first = await insert('rules.example.com');
    const records: string[] = [];
    const dns: DomainDnsRecordLookupFunction = async ({ cname_target }) => ({ cname: [cname_target], txt: records });
    records.push(getExpectedDnsRecords(first)?.txt_value ?? '');
    expect((await verifyCustomDomain(scope, first.id, dns)).verdict.verified).toBe(true);
    await deleteProperty(scope, first.id, true, null);
    // The former host's DNS records still exist and point to our host.
    const other = await insertTeam('live', 'mallory@example.com');
    const claimed = await createProperty(
      other,
      PropertyCreate.parse({ name: 'Not theirs', custom_domain: 'rules.example.com' }),
    );
    const { verdict, property } = await verifyCustomDomain(other, claimed.id, dns);
    expect(verdict).toMatchObject({ verified: false, cname: 'found', txt: 'different' });
    expect(property.custom_domain_verified_at).toBeNull();
  });

  it('rejects a property without a domain', async () => {
    const { id } = await insert(null);
    await expect(verifyCustomDomain(scope, id, found)).rejects.toMatchObject({ code: 'missing_required_field' });
  });

  it('does not verify a domain that was changed during the DNS lookup', async () => {
    const { id } = await insert('rules.example.com');
    const meanwhile: DomainDnsRecordLookupFunction = async (records) => {
      await updateProperty(scope, id, { custom_domain: 'other.example.com' }, null);
      return found(records);
    };
    await expect(verifyCustomDomain(scope, id, meanwhile)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect((await retrieveProperty(scope, id)).custom_domain_verified_at).toBeNull();
  });

  it('gives each property and each domain its own token', async () => {
    const one = getExpectedDnsRecords({ id: 'prop_a', custom_domain: 'rules.example.com' });
    const other = getExpectedDnsRecords({ id: 'prop_b', custom_domain: 'rules.example.com' });
    const renamed = getExpectedDnsRecords({ id: 'prop_a', custom_domain: 'rules2.example.com' });
    expect(new Set([one?.txt_value, other?.txt_value, renamed?.txt_value]).size).toBe(3);
  });
});
