/**
 * Tests that guests of a property whose custom domain lapsed get one new link. The domain's next
 * owner cannot use the old link.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import {
  type DomainDnsRecordLookupFunction,
  verifyCustomDomain,
} from '@/modules/properties/domains/custom-domain.service';
import { lookUpDnsOfDueCustomDomains } from '@/modules/properties/domains/recheck';
import { updateProperty } from '@/modules/properties/service';
import { findReservationByLink } from '@/modules/signing/open-link';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { resendReservation } from '../send';
import { retrieveGuestLinks } from '../service';
import { renewGuestLinks } from './renew-links';

const found: DomainDnsRecordLookupFunction = async ({ txt_value }) => ({ cname: [], txt: [txt_value] });
const missing: DomainDnsRecordLookupFunction = async () => ({ cname: [], txt: [] });
let scope: Scope;
let time: FakeClock;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-06-01T10:00:00Z');
  scope = await insertTeam();
});
afterEach(() => setClock(null));

it('a link on a lapsed custom domain is replaced, and the guest is mailed a link on the main host once', async () => {
  const { property_id, reservation_id } = await insertSentReservation(scope);
  await updateProperty(scope, property_id, { custom_domain: 'rules.example.com' }, null);
  await verifyCustomDomain(scope, property_id, found);
  await resendReservation(scope, reservation_id);
  const before = await retrieveGuestLinks(scope, reservation_id);
  expect(new URL(before.signingUrl ?? '').hostname).toBe('rules.example.com');
  const token = before.signingUrl?.split('/').at(-1) ?? '';
  let report = await lookUpDnsOfDueCustomDomains(missing);
  for (let hour = 0; hour < 8; hour += 1) {
    time.advance(3_600_000);
    report = await lookUpDnsOfDueCustomDomains(missing);
  }
  expect(report.lapsed).toEqual([{ id: property_id, team_id: scope.team_id, mode: 'live' }]);
  expect((await findReservationByLink(token)).kind).toBe('current');
  expect(await renewGuestLinks(scope.team_id, 'live', property_id)).toEqual({ mailed: 1 });
  expect((await findReservationByLink(token)).kind).toBe('replaced');
  const after = await retrieveGuestLinks(scope, reservation_id);
  expect(new URL(after.signingUrl ?? '').hostname).toBe('localhost');
  expect((await findReservationByLink(after.signingUrl?.split('/').at(-1) ?? '')).kind).toBe('current');
  // A repeated call mails nobody again.
  expect(await renewGuestLinks(scope.team_id, 'live', property_id)).toEqual({ mailed: 0 });
});

it('guests who signed and other properties’ guests are mailed no new link', async () => {
  const signed = await insertSentReservation(scope);
  await signAsGuest(scope, signed.reservation_id);
  const other = await insertSentReservation(scope);
  time.advance(1_000);
  await systemDb().property.update({
    where: { id: signed.property_id },
    data: { custom_domain_lapsed_at: new Date(time.now().getTime()) },
  });
  expect(await renewGuestLinks(scope.team_id, 'live', signed.property_id)).toEqual({ mailed: 0 });
  expect((await findReservationByLink(deriveLinkToken('signing', other.reservation_id, 1))).kind).toBe('current');
});
