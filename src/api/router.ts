/**
 * The router of all procedures, by module. A module's `router.ts` contains its public procedures,
 * and its `dashboard.router.ts` the procedures for the dashboard only. `/v1` exposes the procedures
 * with REST meta.
 */
import { signingPageRouter } from '@/guest/http/dashboard.router';
import { accountsRouter } from '@/modules/accounts/dashboard.router';
import { apiKeysRouter } from '@/modules/api-keys/dashboard.router';
import { assistantsRouter } from '@/modules/assistants/dashboard.router';
import { auditLogRouter } from '@/modules/audit-log/dashboard.router';
import { certificatesDashboardRouter } from '@/modules/certificates/dashboard.router';
import { guestErasuresRouter } from '@/modules/certificates/guest-erasure/dashboard.router';
import { certificatesRouter } from '@/modules/certificates/router';
import {
  memberRemovalRouter,
  propertyDeletionDashboardRouter,
  teamDataRouter,
} from '@/modules/export-and-deletion/dashboard.router';
import { propertyDeletionRouter } from '@/modules/export-and-deletion/router';
import { inboxRouter } from '@/modules/forwarded-mail/dashboard.router';
import { homeRouter } from '@/modules/home/dashboard.router';
import { mailRouter } from '@/modules/mail/dashboard.router';
import { packetsDashboardRouter } from '@/modules/packets/dashboard.router';
import { packetsRouter } from '@/modules/packets/router';
import { propertiesDashboardRouter } from '@/modules/properties/dashboard.router';
import { propertiesRouter } from '@/modules/properties/router';
import { pushNotificationsRouter } from '@/modules/push/dashboard.router';
import { requestLogsRouter } from '@/modules/request-log/router';
import { reservationsDashboardRouter } from '@/modules/reservations/dashboard.router';
import { reservationsRouter } from '@/modules/reservations/router';
import { searchRouter } from '@/modules/search/dashboard.router';
import { smsMessagesRouter } from '@/modules/sms-messages/router';
import { stayCalendarRouter } from '@/modules/stay-calendar/dashboard.router';
import { syncSourcesDashboardRouter } from '@/modules/sync-sources/dashboard.router';
import { syncSourcesRouter } from '@/modules/sync-sources/router';
import { testClocksRouter } from '@/modules/test-clocks/router';
import { webhookEndpointsDashboardRouter } from '@/modules/webhooks/dashboard.router';
import { recordedEventsRouter } from '@/modules/webhooks/event-log/router';
import { webhookEndpointsRouter } from '@/modules/webhooks/router';
import { durableRunsRouter } from '@/operator/engine-runs/dashboard.router';
import { mergeRouters, router } from './trpc/procedures';

export const appRouter = router({
  home: homeRouter,
  search: searchRouter,
  stay_calendar: stayCalendarRouter,
  accounts: mergeRouters(accountsRouter, memberRemovalRouter),
  audit_log: auditLogRouter,
  properties: mergeRouters(
    propertiesRouter,
    propertiesDashboardRouter,
    propertyDeletionRouter,
    propertyDeletionDashboardRouter,
  ),
  packets: mergeRouters(packetsRouter, packetsDashboardRouter),
  signing_page: signingPageRouter,
  reservations: mergeRouters(reservationsRouter, reservationsDashboardRouter),
  certificates: mergeRouters(certificatesRouter, certificatesDashboardRouter),
  guest_erasures: guestErasuresRouter,
  sync_sources: mergeRouters(syncSourcesRouter, syncSourcesDashboardRouter),
  inbox: inboxRouter,
  sms_messages: smsMessagesRouter,
  webhook_endpoints: mergeRouters(webhookEndpointsRouter, webhookEndpointsDashboardRouter),
  test_clocks: testClocksRouter,
  api_keys: apiKeysRouter,
  assistants: assistantsRouter,
  events: recordedEventsRouter,
  request_logs: requestLogsRouter,
  mail: mailRouter,
  push: pushNotificationsRouter,
  runs: durableRunsRouter,
  team_data: teamDataRouter,
});

export type AppRouter = typeof appRouter;
