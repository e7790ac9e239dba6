/**
 * Tests every limit with 50 concurrent calls. With TEST_DATABASE_URL the transactions truly
 * overlap. Every repository function that counts rows must be listed in COUNTED. The last test
 * fails for missing functions.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { countAttemptOrThrowOverLimit } from '@/modules/accounts/attempt-counters/attempts';
import { DAILY_INVITATION_COUNT_LIMITS, inviteMember } from '@/modules/accounts/members.service';
import { getPricePlanLimits } from '@/modules/accounts/plans.rules';
import { storeSavedView } from '@/modules/accounts/saved-views/service';
import { createTeamForUser, MAX_TEAMS_PER_USER } from '@/modules/accounts/service';
import { beginDeviceLogin } from '@/modules/api-keys/device-login/device-login';
import { MAX_API_KEYS_PER_MODE } from '@/modules/api-keys/rules';
import { createApiKey } from '@/modules/api-keys/service';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deleteTeam, MAX_TEAM_DELETION_ATTEMPTS } from '@/modules/export-and-deletion/deletion.service';
import {
  MAX_CODE_RECIPIENTS_PER_SHARE_LINK,
  RECIPIENT_DAILY_MAIL_LIMITS,
  TEAM_DAILY_MAIL_LIMITS,
} from '@/modules/mail/rules/budget.rules';
import { queueMail } from '@/modules/mail/service';
import { createPacket } from '@/modules/packets/service';
import { MAX_TEST_MAILS_PER_DAY, sendTestMailWithText } from '@/modules/properties/mail-texts/service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { sendReservation } from '@/modules/reservations/send';
import { createReservation } from '@/modules/reservations/service';
import { sendConfirmationCodeMail, verifyConfirmationCode } from '@/modules/signing/codes';
import { recordGuestReply } from '@/modules/signing/reply';
import { createTestClock, MAX_TEST_CLOCKS } from '@/modules/test-clocks/service';
import { createEndpoint, MAX_ENDPOINTS_PER_MODE } from '@/modules/webhooks/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';

const AT_ONCE = 50;
let scope: Scope;
let property_id: string;
let user: { id: string; name: string; email: string };

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  setConfig({ resend_api_key: undefined });
  await clearDatabase();
  scope = await insertTeam();
  user = await systemDb().user.update({
    where: { id: (await systemDb().user.findFirstOrThrow()).id },
    data: { emailVerified: true },
  });
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
});

/** One of many concurrent calls. */
type Attempt = (index: number) => Promise<unknown>;
interface Limit {
  most: number;
  /** Set when concurrent calls may conflict, so that fewer than `most` succeed. */
  or_fewer?: true;
  /**
   * Returns whether a response is a refusal. Needed only for calls that report a refusal without
   * throwing an error.
   */
  refused?: (answer: unknown) => boolean;
  prepare: () => Promise<Attempt> | Attempt;
}

const stay = (index: number) => ({
  property_id,
  guest_name: 'Ana',
  guest_email: `ana-${index}@example.com`,
  checkin_date: '2031-06-15',
  checkout_date: '2031-06-18',
  source: 'direct' as const,
});
const onFree = () => systemDb().team.updateMany({ data: { plan: 'free' } });
const drafts = async () => {
  const ids: string[] = [];
  for (let index = 0; index < AT_ONCE; index++) ids.push((await createReservation(scope, stay(index))).row.id);
  return ids;
};
const PRO = getPricePlanLimits({ plan: 'pro', property_limit: null, packet_limit: null }, 'live');
const MAIL = { template: 'reminder_2h', subject: 'S', html: '<p>H</p>', text: 'T' };
const NO_HASH = `${'0'.repeat(32)}:${'0'.repeat(128)}`;
const said = (problem: string) => (answer: unknown) => answer === problem;

const LIMITS: Record<string, Limit> = {
  'packets mailed in a day on Free': {
    most: 30,
    prepare: async () => {
      const ids = await drafts();
      await onFree();
      return (index) => sendReservation(scope, ids[index] ?? '');
    },
  },
  'test mails in a day': {
    most: MAX_TEST_MAILS_PER_DAY - 20,
    prepare: async () => {
      const words = { id: property_id, mail: 'packet', locale: 'en', subject: 'Hello', intro: 'Welcome' } as const;
      for (let sent = 0; sent < 20; sent++) await sendTestMailWithText(scope, user, words);
      return () => sendTestMailWithText(scope, user, words);
    },
  },
  properties: {
    most: PRO.properties - 1,
    prepare: () => (index) => createProperty(scope, PropertyCreate.parse({ name: `Casa ${index}` })),
  },
  'the live property on Free': {
    most: 1,
    prepare: async () => {
      await onFree();
      await systemDb().property.deleteMany();
      return (index) => createProperty(scope, PropertyCreate.parse({ name: `Casa ${index}` }));
    },
  },
  'active packets of a property': {
    most: PRO.active_packets - 1,
    prepare: () => (index) => createPacket(scope, property_id, { name: `Packet ${index}` }),
  },
  'keys of a mode': {
    most: MAX_API_KEYS_PER_MODE,
    prepare: () => (index) => createApiKey(scope, { name: `Key ${index}` }),
  },
  'webhook endpoints': {
    most: MAX_ENDPOINTS_PER_MODE,
    prepare: () => (index) => createEndpoint(scope, { url: `https://example.com/${index}`, events: ['*'] } as never),
  },
  'test clocks': {
    most: MAX_TEST_CLOCKS,
    prepare: () => () => createTestClock({ ...scope, mode: 'test' }, { frozen_time: '2031-01-01T00:00:00Z' } as never),
  },
  'saved views': {
    most: 20,
    prepare: () => (index) => storeSavedView(scope, user.id, { name: `View ${index}`, query: '' }),
  },
  'teams of a user': {
    most: MAX_TEAMS_PER_USER - 1,
    prepare: () => (index) => createTeamForUser(user, `Team ${index}`, null),
  },
  'invitations of a user in a day': {
    most: DAILY_INVITATION_COUNT_LIMITS.user,
    prepare: () => (index) =>
      inviteMember(
        { team_id: scope.team_id, user, ip: null },
        { id: scope.team_id, name: 'Sea View', plan: 'pro' },
        { email: `mia-${index}@example.com`, role: 'manager' },
      ),
  },
  'codes of a reservation in ten minutes': {
    most: 4,
    refused: said('rate_limited'),
    prepare: async () => {
      const loaded = await loadReservation(scope, (await insertSentReservation(scope)).reservation_id);
      return () => sendConfirmationCodeMail(scope, loaded, 'signing', 'ada@example.com', 'en');
    },
  },
  'tries of a code': {
    most: 5,
    refused: said('code_too_many'),
    prepare: async () => {
      const loaded = await loadReservation(scope, (await insertSentReservation(scope)).reservation_id);
      await sendConfirmationCodeMail(scope, loaded, 'signing', 'ada@example.com', 'en');
      return () => verifyConfirmationCode(scope, loaded.row.id, 'signing', 'ada@example.com', 'x');
    },
  },
  'messages of a guest in an hour': {
    most: 5,
    or_fewer: true,
    prepare: async () => {
      const { reservation_id } = await insertSentReservation(scope);
      return () => recordGuestReply(scope, reservation_id, { kind: 'question', message: 'Hello?', origin: {} });
    },
  },
  'logins that terminals of one address begin': {
    most: 20,
    prepare: () => () => beginDeviceLogin({ device_name: 'laptop', key_mode: 'test', scopes: [], ip: '203.0.113.9' }),
  },
  'wrong passwords before a deletion': {
    most: MAX_TEAM_DELETION_ATTEMPTS,
    refused: said('rate_limit_exceeded'),
    prepare: async () => {
      await systemDb().account.create({
        data: { id: 'acct_1', accountId: user.id, providerId: 'credential', userId: user.id, password: NO_HASH },
      });
      // The calls come from many addresses, because the server queues only a few requests per
      // address.
      return (index) =>
        deleteTeam(
          {
            team_id: scope.team_id,
            user,
            ip: `203.0.113.${index}`,
            opened: { userId: user.id, createdAt: new Date() },
          },
          { name: 'Sea View', password: 'wrong' },
        ).catch((error: { code: string }) => error.code);
    },
  },
  'mails of a team in a day': {
    most: TEAM_DAILY_MAIL_LIMITS.free.new,
    prepare: async () => {
      setConfig({ resend_api_key: 're_test' });
      await onFree();
      return (index) => inTransaction(scope, () => queueMail(scope, { ...MAIL, to: `ada-${index}@example.com` }));
    },
  },
  'mails to one address in a day': {
    most: RECIPIENT_DAILY_MAIL_LIMITS.team,
    prepare: () => {
      setConfig({ resend_api_key: 're_test' });
      return () => inTransaction(scope, () => queueMail(scope, { ...MAIL, to: 'ada@example.com' }));
    },
  },
  'addresses that a shared link mails codes to': {
    most: MAX_CODE_RECIPIENTS_PER_SHARE_LINK,
    refused: said('rate_limited'),
    prepare: async () => {
      const loaded = await loadReservation(scope, (await insertSentReservation(scope)).reservation_id);
      return (index) => sendConfirmationCodeMail(scope, loaded, 'contact', `ada-${index}@example.com`, 'en');
    },
  },
  'a tally': { most: 7, prepare: () => () => countAttemptOrThrowOverLimit('limit-races', 7, 60_000) },
};

/**
 * Repository functions that count rows, each with the limits for which its count is used. `shown,
 * not limited` marks counts that are only displayed.
 */
const COUNTED: Record<string, (keyof typeof LIMITS)[] | 'shown, not limited'> = {
  'accounts/repository.ts countPropertiesOwnedByTeam': 'shown, not limited',
  'accounts/attempt-counters/attempt-counter.repository.ts countAttemptAndGetWindowTotal': [
    'a tally',
    'logins that terminals of one address begin',
  ],
  'certificates/repository.ts countCertificateAndPublicLogMismatches': 'shown, not limited',
  'export-and-deletion/deletion.repository.ts countTeamDataForDeletionPreview': 'shown, not limited',
  'export-and-deletion/property-deletion.repository.ts countRowsBelongingToProperty': 'shown, not limited',
  'certificates/files/repository.ts countStoredObjects': 'shown, not limited',
  'certificates/guest-erasure/repository.ts countErasableRecordsOfReservation': 'shown, not limited',
  // A lock on the team, and not this count, prevents the removal of the last owner.
  'export-and-deletion/member-removal/repository.ts countOwners': 'shown, not limited',
  'home/repository.ts countEventsByDay': 'shown, not limited',
  'home/repository.ts countSignedReservations': 'shown, not limited',
  'home/repository.ts countPricePlanUsage': 'shown, not limited',
  'mail/budget.repository.ts countMailsInBudgetWindow': ['mails of a team in a day', 'mails to one address in a day'],
  'mail/budget.repository.ts countOneTimeCodeRecipientsExceptAddress': ['addresses that a shared link mails codes to'],
  'mail/repository.ts countMails': ['packets mailed in a day on Free', 'test mails in a day'],
  'packets/repository.ts countActivePackets': ['active packets of a property'],
  'properties/repository.ts countProperties': ['properties', 'the live property on Free'],
  'public-log/repository.ts countMerkleNodes': 'shown, not limited',
  'push/repository.ts countPushSubscriptions': 'shown, not limited',
  'signing/repository.ts countConfirmationCodeAttempt': ['tries of a code'],
  'signing/repository.ts countConfirmationCodesSince': ['codes of a reservation in ten minutes'],
  'sync-sources/host.repository.ts countInboxMailsBySyncSource': 'shown, not limited',
  'test-clocks/repository.ts countTestClocks': ['test clocks'],
  'webhooks/host.repository.ts countFinishedAttemptsByEndpoint': 'shown, not limited',
  'webhooks/host.repository.ts countWaitingDeliveryAttempts': 'shown, not limited',
  'webhooks/repository.ts countEndpoints': ['webhook endpoints'],
};

it('every count function in a repository is listed with the limits it serves', () => {
  const counts = (readdirSync('src/modules', { recursive: true }) as string[])
    .filter((path) => /repository\.ts$/.test(path))
    .flatMap((path) => {
      const found = readFileSync(`src/modules/${path}`, 'utf8').matchAll(
        /export (?:async )?(?:function|const) (count\w+)/g,
      );
      return [...found].map(([, name]) => `${path} ${name}`);
    });
  expect(counts.sort()).toEqual(Object.keys(COUNTED).sort());
});

it.each(Object.entries(LIMITS))(
  '%s: 50 concurrent calls get no more than 50 sequential ones',
  async (_name, limit) => {
    const attempt = await limit.prepare();
    const answers = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => attempt(index)));
    const admitted = answers.filter(
      (answer) => answer.status === 'fulfilled' && !(limit.refused?.(answer.value) ?? false),
    );
    const others = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as { code: string }] : [],
    );
    expect(others.filter(({ code }) => !code || code === 'internal_error')).toEqual([]);
    expect(admitted.length).toBeGreaterThan(0);
    expect(admitted.length).toBeLessThanOrEqual(limit.most);
    if (!limit.or_fewer) expect(admitted).toHaveLength(limit.most);
  },
  60_000,
);
