/** Names for the input and output types of procedures. */
import type { ProcedureInputs, ProcedureOutputs } from './trpc';

export type ListedCertificate = ProcedureOutputs['certificates']['list']['data'][number];
export type CertificateWithAuditTrail = ProcedureOutputs['certificates']['retrieve'];
export type CertificateVerification = ProcedureOutputs['certificates']['verify'];
export type AuditTrail = CertificateWithAuditTrail['audit_trail'];
export type LoggedRequest = ProcedureOutputs['request_logs']['list']['data'][number];
export type LoggedRequestDetail = ProcedureOutputs['request_logs']['retrieve'];
export type TestClock = ProcedureOutputs['test_clocks']['list']['data'][number];
export type WebhookEvent = ProcedureOutputs['events']['list']['data'][number];
export type WebhookEventDetail = ProcedureOutputs['events']['retrieve'];
export type ApiKey = ProcedureOutputs['api_keys']['list']['data'][number];
export type ApiKeyUsageSummary = ProcedureOutputs['api_keys']['usage'];
export type WebhookEndpointDetail = ProcedureOutputs['webhook_endpoints']['retrieve'];
export type WebhookEndpointHistory = ProcedureOutputs['webhook_endpoints']['history'];
export type ListedWebhookDelivery = ProcedureOutputs['webhook_endpoints']['list_deliveries']['data'][number];
export type WebhookDeliveryDetail = ProcedureOutputs['webhook_endpoints']['retrieve_attempt'];
export type EventDelivery = ProcedureOutputs['webhook_endpoints']['list_event_deliveries']['data'][number];
export type BulkActionPreviewRow = ProcedureOutputs['reservations']['preview_bulk']['rows'][number];
/** A reservation with its allowed actions. */
export type Reservation = ProcedureOutputs['reservations']['retrieve'];
/** The result of a mutation, without the allowed actions. */
export type ReservationMutationResult = ProcedureOutputs['reservations']['update'];
export type ListedReservation = ProcedureOutputs['reservations']['list']['data'][number];
export type ReservationTimelineEntry = ProcedureOutputs['reservations']['events']['data'][number];
export type ListedOutboxMail = ProcedureOutputs['mail']['list']['data'][number];
export type ReservationImportPreview = ProcedureOutputs['reservations']['preview_import'];
export type EngineRun = ProcedureOutputs['runs']['list']['data'][number];
export type DurableRunDetail = ProcedureOutputs['runs']['retrieve'];
export type Packet = ProcedureOutputs['packets']['create'];
/** A packet with its allowed actions. */
export type PacketDetail = ProcedureOutputs['packets']['retrieve'];
export type PacketItem = ProcedureOutputs['packets']['items']['data'][number];
/** An active packet that contains a given fee or rule. */
export type PacketContainingGivenFeeOrRule = ProcedureOutputs['packets']['item']['data'][number];
export type GuestAffectedByPacketItemChange = ProcedureOutputs['reservations']['item_guests']['data'][number];
export type SigningPagePreviewInput = ProcedureInputs['signing_page']['preview'];
export type StayCalendarProperty = ProcedureOutputs['stay_calendar']['properties']['data'][number];
export type StayCalendarStay = ProcedureOutputs['stay_calendar']['page']['stays'][number];
export type AuditLogEntry = ProcedureOutputs['audit_log']['list']['data'][number];
/** The mail and the language of a property's mail text. */
export type PropertyMailTextQueryInput = ProcedureInputs['properties']['mail_text'];
export type PropertyMailText = ProcedureOutputs['properties']['mail_text'];
export type Property = ProcedureOutputs['properties']['retrieve'];
export type OutboxMailDetail = ProcedureOutputs['mail']['retrieve'];
export type MailTemplate = ProcedureOutputs['mail']['templates'][number];
export type AssistantClient = ProcedureOutputs['assistants']['client'];
export type DeviceAwaitingApproval = ProcedureOutputs['api_keys']['find_device'];
export type SyncSource = ProcedureOutputs['sync_sources']['retrieve'];
export type CalendarPreview = ProcedureOutputs['sync_sources']['preview'];
export type SyncSourceDryRunResult = ProcedureOutputs['sync_sources']['try_run'];
export type SyncSourceRun = ProcedureOutputs['sync_sources']['runs']['data'][number];
export type InboxMail = ProcedureOutputs['inbox']['list']['data'][number];
export type InboxMailDetail = ProcedureOutputs['inbox']['retrieve'];
export type AccountSignInMethods = ProcedureOutputs['accounts']['security'];
export type Passkey = AccountSignInMethods['passkeys'][number];
