/**
 * Tests which host the links of a property use, and which hosts are served, with a real database.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { deleteProperty } from '@/modules/export-and-deletion/property-deletion.service';
import { buildSigningUrl } from '@/modules/links/urls';
import {
  getExpectedDnsRecords,
  isPropertyHostName,
  verifyCustomDomain,
} from '@/modules/properties/domains/custom-domain.service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, updateProperty } from '@/modules/properties/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { classifyRequestHostname, isGuestPagePath } from './property-hosts';

let scope: Scope;
let passed = 0;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: 'https://threshold.example' });
  scope = await insertTeam();
  setClock({ now: () => new Date(Date.now() + passed) });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

/** Moves the clock past the expiry of a cached verdict. */
const later = () => {
  passed += 60_000;
};
const insert = (names: { subdomain?: string; custom_domain?: string }) =>
  createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', ...names }));
const verify = (id: string) =>
  verifyCustomDomain(scope, id, async ({ txt_value }) => ({ cname: [], txt: [txt_value] }));

it('a custom domain is served and used in links from its verification until it is changed', async () => {
  const before = await insert({ custom_domain: 'rules.casa.example', subdomain: 'casa' });
  expect(getExpectedDnsRecords(before)?.cname_target).toBe('threshold.example');
  expect(buildSigningUrl(before, 'res_1', 1)).toMatch(/^https:\/\/casa\.threshold\.example\/sign\//);
  expect(await classifyRequestHostname('rules.casa.example')).toBe('unknown');
  later();
  const { property } = await verify(before.id);
  expect(buildSigningUrl(property, 'res_1', 1)).toMatch(/^https:\/\/rules\.casa\.example\/sign\//);
  expect(await classifyRequestHostname('Rules.Casa.Example:443')).toBe('vanity');
  expect(await isPropertyHostName('rules.casa.example')).toBe(true);
  later();
  const changed = await updateProperty(scope, before.id, { custom_domain: 'other.casa.example' }, null);
  expect(buildSigningUrl(changed, 'res_1', 1)).toMatch(/^https:\/\/casa\.threshold\.example\//);
  expect(await classifyRequestHostname('rules.casa.example')).toBe('unknown');
  expect(await classifyRequestHostname('other.casa.example')).toBe('unknown');
});

it('a subdomain is served until its property is deleted', async () => {
  const { id } = await insert({ subdomain: 'harbour' });
  expect(await classifyRequestHostname('harbour.threshold.example')).toBe('vanity');
  expect(await classifyRequestHostname('deep.harbour.threshold.example')).toBe('unknown');
  await deleteProperty(scope, id, false, null);
  later();
  expect(await classifyRequestHostname('harbour.threshold.example')).toBe('unknown');
});

it.each(['threshold.example', 'threshold.example:443', 'localhost:3000', '127.0.0.1', '[::1]:3000', '', undefined])(
  '%s is treated as the main host',
  async (host) => {
    expect(await classifyRequestHostname(host)).toBe('main');
  },
);

it.each([
  ['/sign/abc', true],
  ['/sign/abc/view?x=1', true],
  ['/guest-assets/a.css', true],
  ['/o/abc', true],
  ['/sign-in', false],
  ['/', false],
  ['/c/abc', false],
  ['/verify/abc', false],
  ['/v1/properties', false],
  ['/sign/../sign-in', false],
  ['/sign/./../sign-in', false],
  ['/sign/%2e%2e/sign-in', false],
  ['/sign/%2E./sign-in', false],
  ['/sign/..%2fsign-in', false],
  ['/sign/..\\sign-in', false],
  ['/sign//sign-in', false],
])('%s is a path of the guest pages: %s', (path, guests) => {
  expect(isGuestPagePath(path)).toBe(guests);
});

it.each(['\u0000', 'a\u0000.example', 'x'.repeat(300), 'a b', 'ä.example', '\ud800'])(
  'the invalid host name %j is rejected without a database query',
  async (name) => expect(await isPropertyHostName(name)).toBe(false),
);

it('the configured host for calls from the Inngest server is treated as the main host', async () => {
  expect(await classifyRequestHostname('app:3000')).toBe('unknown');
  later();
  const server = {
    base_url: undefined,
    dashboard_url: undefined,
    signing_key_fallback: undefined,
    event_key: 'a',
    signing_key: 'ab',
    dev: false,
  };
  setConfig({ inngest: { ...server, serve_origin: 'http://app:3000' } });
  expect(await classifyRequestHostname('app:3000')).toBe('main');
  setConfig({ inngest: null });
});
