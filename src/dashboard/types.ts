/** Names for the input and output types of procedures. */
import type { Inputs, Outputs } from './trpc';

export type CertificateRow = Outputs['certificates']['list']['data'][number];
export type CertificateFacts = Outputs['certificates']['retrieve'];
export type CertificateVerification = Outputs['certificates']['verify'];
export type AuditTrail = CertificateFacts['audit_trail'];
export type LoggedRequest = Outputs['request_logs']['list']['data'][number];
export type LoggedRequestDetail = Outputs['request_logs']['retrieve'];
export type TestClock = Outputs['test_clocks']['list']['data'][number];
export type WebhookEvent = Outputs['events']['list']['data'][number];
export type WebhookEventDetail = Outputs['events']['retrieve'];
export type ApiKey = Outputs['api_keys']['list']['data'][number];
export type KeyUsage = Outputs['api_keys']['usage'];
export type Endpoint = Outputs['webhook_endpoints']['retrieve'];
export type EndpointHistory = Outputs['webhook_endpoints']['history'];
export type Delivery = Outputs['webhook_endpoints']['list_deliveries']['data'][number];
export type DeliveryDetail = Outputs['webhook_endpoints']['retrieve_attempt'];
export type EventDelivery = Outputs['webhook_endpoints']['list_event_deliveries']['data'][number];
export type PreviewRow = Outputs['reservations']['preview_bulk']['rows'][number];
/** A reservation with its allowed actions. */
export type Reservation = Outputs['reservations']['retrieve'];
/** The result of a mutation, without the allowed actions. */
export type ChangedReservation = Outputs['reservations']['update'];
export type ListedReservation = Outputs['reservations']['list']['data'][number];
export type TimelineEntry = Outputs['reservations']['events']['data'][number];
export type Mail = Outputs['mail']['list']['data'][number];
export type ImportPreview = Outputs['reservations']['preview_import'];
export type EngineRun = Outputs['runs']['list']['data'][number];
export type EngineRunDetail = Outputs['runs']['retrieve'];
export type Packet = Outputs['packets']['create'];
/** A packet with its allowed actions. */
export type PacketVariant = Outputs['packets']['retrieve'];
export type PacketItem = Outputs['packets']['items']['data'][number];
/** An active packet that contains a given fee or rule. */
export type ItemPacket = Outputs['packets']['item']['data'][number];
export type ItemGuest = Outputs['reservations']['item_guests']['data'][number];
export type PreviewInput = Inputs['signing_page']['preview'];
export type CalendarProperty = Outputs['stay_calendar']['properties']['data'][number];
export type CalendarStay = Outputs['stay_calendar']['page']['stays'][number];
export type AuditEntry = Outputs['audit_log']['list']['data'][number];
/** The mail and the language of a property's mail text. */
export type MailTextKey = Inputs['properties']['mail_text'];
export type MailText = Outputs['properties']['mail_text'];
export type Property = Outputs['properties']['retrieve'];
export type MailDetail = Outputs['mail']['retrieve'];
export type MailTemplate = Outputs['mail']['templates'][number];
export type AssistantClient = Outputs['assistants']['client'];
export type WaitingDevice = Outputs['api_keys']['find_device'];
export type SyncSource = Outputs['sync_sources']['retrieve'];
export type CalendarPreview = Outputs['sync_sources']['preview'];
export type CalendarDryRun = Outputs['sync_sources']['try_run'];
export type SourceRun = Outputs['sync_sources']['runs']['data'][number];
export type InboxMail = Outputs['inbox']['list']['data'][number];
export type InboxMailDetail = Outputs['inbox']['retrieve'];
export type OwnSecurity = Outputs['accounts']['security'];
export type Passkey = OwnSecurity['passkeys'][number];
