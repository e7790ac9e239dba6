/** Every operation, under its module's name. The dashboard calls these paths; `/v1` exposes those with REST meta. */
import { signingPageRouter } from '@/guest/http/preview-router';
import { accountsRouter } from '@/modules/accounts/router';
import { apiKeysRouter } from '@/modules/api-keys/router';
import { auditLogRouter } from '@/modules/audit-log/router';
import { certificateHostRouter } from '@/modules/certificates/host-router';
import { certificatesRouter } from '@/modules/certificates/router';
import { propertyDeletionHostRouter, propertyDeletionRouter } from '@/modules/export-and-deletion/property-router';
import { teamDataRouter } from '@/modules/export-and-deletion/router';
import { inboxRouter } from '@/modules/forwarded-mail/router';
import { homeRouter } from '@/modules/home/router';
import { mailRouter } from '@/modules/mail/router';
import { packetHostRouter } from '@/modules/packets/host-router';
import { packetsRouter } from '@/modules/packets/router';
import { propertyHostRouter } from '@/modules/properties/host-router';
import { propertiesRouter } from '@/modules/properties/router';
import { requestLogsRouter } from '@/modules/request-log/router';
import { reservationHostRouter } from '@/modules/reservations/host-router';
import { reservationsRouter } from '@/modules/reservations/router';
import { smsMessagesRouter } from '@/modules/sms-messages/router';
import { syncSourceHostRouter } from '@/modules/sync-sources/host-router';
import { syncSourcesRouter } from '@/modules/sync-sources/router';
import { webhooksDashboardRouter } from '@/modules/webhooks/dashboard-router';
import { eventsRouter } from '@/modules/webhooks/event-log/router';
import { webhookEndpointsRouter } from '@/modules/webhooks/router';
import { runsRouter } from '@/operator/engine-runs/router';
import { mergeRouters, router } from './trpc/procedures';

export const appRouter = router({
  home: homeRouter,
  accounts: accountsRouter,
  audit_log: auditLogRouter,
  properties: mergeRouters(propertiesRouter, propertyDeletionRouter),
  property_host: mergeRouters(propertyHostRouter, propertyDeletionHostRouter),
  packets: packetsRouter,
  packet_host: packetHostRouter,
  signing_page: signingPageRouter,
  reservations: reservationsRouter,
  reservation_host: reservationHostRouter,
  certificates: certificatesRouter,
  certificate_host: certificateHostRouter,
  sync_sources: syncSourcesRouter,
  sync_source_host: syncSourceHostRouter,
  inbox: inboxRouter,
  sms_messages: smsMessagesRouter,
  webhook_endpoints: webhookEndpointsRouter,
  webhook_dashboard: webhooksDashboardRouter,
  api_keys: apiKeysRouter,
  events: eventsRouter,
  request_logs: requestLogsRouter,
  mail: mailRouter,
  runs: runsRouter,
  team_data: teamDataRouter,
});

export type AppRouter = typeof appRouter;
