/** Functions that run on a schedule. */
import { vacuumDatabase } from '@/infra/db/housekeeping';
import { moveFilesToStorageAndRemoveUnreferenced } from '@/modules/certificates/files/move';
import { purgeRedactedDataFromDisk } from '@/modules/certificates/privacy/service';
import { requestTimestampForPublicLog } from '@/modules/certificates/seal/timestamp-authority';
import { removeDeletedTeams } from '@/modules/export-and-deletion/deletion.service';
import { lookUpDnsOfDueCustomDomains } from '@/modules/properties/domains/recheck';
import { requestCosignatures } from '@/modules/public-log/witnesses';
import { renewGuestLinks } from '@/modules/reservations/timed/renew-links';
import { deleteDataPastRetention, RETENTION_PERIODS_MS } from '@/modules/retention/service';
import { deleteOldSyncRuns } from '@/modules/sync-sources/run/due';
import { sendUndeliveredEventsDigests } from '@/modules/webhooks/digest/digest';
import { clock } from '@/shared/clock';
import { type InngestClient, inngestHeartbeatEvent } from '../client';

/**
 * Each hour: deletes expired data, vacuums the embedded database, and requests timestamps and
 * cosignatures for the public log.
 */
export const createDeleteExpiredDataFunction = (
  client: InngestClient,
  pruneEngine: ((older_than: Date) => Promise<{ runs: number; events: number }>) | null,
) =>
  client.createFunction(
    { id: 'retention', retries: 2, concurrency: 1, triggers: [{ cron: '17 * * * *' }] },
    async ({ step }) => ({
      ...(await step.run('product', () => deleteDataPastRetention())),
      engine: await step.run('engine', async () =>
        pruneEngine ? pruneEngine(new Date(clock().now().getTime() - RETENTION_PERIODS_MS.engine)) : null,
      ),
      calendar_runs: await step.run('calendar runs', () => deleteOldSyncRuns()),
      // Runs after the deletion, which creates the most dead rows.
      database: await step.run('database', () => vacuumDatabase()),
      redacted: await step.run('redacted', () => purgeRedactedDataFromDisk()),
      // Timestamping and cosigning run last, because they wait for external servers.
      log_stamped: await step.run('log', () => requestTimestampForPublicLog()),
      log_cosigned: await step.run('log witnesses', () => requestCosignatures()),
    }),
  );

/**
 * Does nothing. When a real Inngest server calls this function, it has accepted an event and can
 * reach this application.
 */
export const createHeartbeatFunction = (client: InngestClient) =>
  client.createFunction({ id: 'heartbeat', retries: 0, triggers: [inngestHeartbeatEvent] }, async () => ({}));

/**
 * Each minute: relays outbox rows that were missed because of a crash or a lost wake-up. Requests
 * runs for all due work that has none: endpoints, mails, calendars, certificates.
 */
export const createMissedWorkRecoveryFunction = (client: InngestClient, recoverAll: () => Promise<object>) =>
  client.createFunction({ id: 'recover', retries: 1, triggers: [{ cron: '* * * * *' }] }, recoverAll);

/** Each hour: finds endpoints that recently failed, and mails their owners at most once a day. */
export const createUndeliveredEventsDigestFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'endpoint-digest', retries: 2, concurrency: 1, triggers: [{ cron: '41 * * * *' }] },
    async ({ step }) => step.run('send', () => sendUndeliveredEventsDigests()),
  );

/**
 * Each minute: moves sealed files to the storage at STORAGE_URL, and deletes unreferenced files
 * there.
 */
export const createMoveSealedFilesFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'store-files', retries: 0, concurrency: 1, triggers: [{ cron: '* * * * *' }] },
    moveFilesToStorageAndRemoveUnreferenced,
  );

/**
 * Removes data of deleted accounts that a crash left behind, or that was written during the
 * deletion.
 */
export const createTeamRemovalFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'team-removal', retries: 2, concurrency: 1, triggers: [{ cron: '*/5 * * * *' }] },
    async () => ({ removed: await removeDeletedTeams() }),
  );

/**
 * Each hour: checks the DNS of every custom domain. Renews guests' links when a domain no longer
 * works.
 */
export const createCustomDomainCheckFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'custom-domains', retries: 2, concurrency: 1, triggers: [{ cron: '29 * * * *' }] },
    async ({ step }) => {
      const { asked, lapsed, restored } = await step.run('ask', () => lookUpDnsOfDueCustomDomains());
      let mailed = 0;
      for (const { id, team_id, mode } of lapsed)
        mailed += (await step.run(`renew links of ${id}`, () => renewGuestLinks(team_id, mode, id))).mailed;
      return { asked, lapsed: lapsed.length, restored, mailed };
    },
  );
