/** Tests which members of a team may download a certificate. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createTeam } from '@/modules/accounts/service';
import { DASHBOARD_TEST_ORIGIN, signIn } from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';
import { downloadCertificate } from './http';
import { insertSealedCertificate } from './testing/signed';

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
});
afterAll(closeTestDatabase);
beforeEach(clearDatabase);

it.each(
  selectSampledCases([
    ['owner', 200, {}],
    ['manager', 200, {}],
    ['co-host of the property', 200, { role: 'co_host', has_property: true }],
    ['co-host of no property', 404, { role: 'co_host' }],
    ['developer', 403, {}],
    ['developer who was granted guests', 403, { role: 'developer', sees_guests: true }],
  ] as const),
)(
  'downloading a certificate as %s returns %s',
  MATRIX_TEST_OPTIONS,
  async (who, status, { has_property, ...member }: Record<string, unknown>) => {
    const scope = await insertTeam();
    const { signature_id, property_id } = await insertSealedCertificate(scope);
    const email = `${who.replaceAll(' ', '-')}@members.example.com`;
    await createTeam({ name: who, owner_email: email, owner_password: 'correct horse battery' });
    const { id } = await systemDb().user.findUniqueOrThrow({ where: { email } });
    const { team_id, mode } = scope;
    const member_id = `mem_${id}`;
    await systemDb().member.create({
      data: { id: member_id, organizationId: team_id, userId: id, role: who, ...member },
    });
    if (has_property) await systemDb().memberProperty.create({ data: { member_id, property_id, team_id, mode } });
    const headers = await signIn(email, 'correct horse battery');
    const query = new URLSearchParams({ team: team_id, mode, id: signature_id });
    const answer = await downloadCertificate(
      new Request(`${DASHBOARD_TEST_ORIGIN}/api/certificate.pdf?${query}`, { headers }),
    );
    expect(answer.status).toBe(status);
  },
);
