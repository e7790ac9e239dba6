/**
 * The Inngest client and the events that trigger durable functions. Functions receive a client
 * instead of importing one, because the embedded engine's keys are known only once the server has
 * its secret.
 */
import { createHmac } from 'node:crypto';
import { eventType, Inngest, staticSchema } from 'inngest';
import { config, getAppSecret } from '@/config';
import type { DomainEvent } from '@/events/relay';
import { logger } from '@/infra/logger';
import type { ScheduledActionKind } from '@/modules/reservations/rules/reminders';
import { inngestServerCallCounter } from './server-contact';

/**
 * Requests a run that sends an endpoint's due deliveries. The run loads the deliveries from the
 * database.
 */
export const endpointDeliveriesDueEvent = eventType('webhooks/endpoint.due', {
  schema: staticSchema<{ endpoint_id: string; team_id: string; url: string; at?: string }>(),
});
/**
 * Requests a call from a real Inngest server, to check that it works. The function that this event
 * triggers does nothing.
 */
export const inngestHeartbeatEvent = eventType('threshold/heartbeat', {
  schema: staticSchema<Record<string, never>>(),
});
/** The endpoint was deleted or disabled. The event cancels its runs. */
export const webhookEndpointDeactivatedEvent = eventType('webhooks/endpoint.stopped', {
  schema: staticSchema<{ endpoint_id: string }>(),
});
export const mailSendingDueEvent = eventType('mail/message.due', {
  schema: staticSchema<{ mail_id: string; team_id: string; template: string }>(),
});
/** Requests browser notifications for a team's members about a guest's message. */
export const pushNotificationDueEvent = eventType('push/notice.due', {
  schema: staticSchema<{ notice_id: string; team_id: string }>(),
});
/** A calendar is due for a poll. */
export const calendarPollDueEvent = eventType('calendar/source.due', {
  schema: staticSchema<{ sync_source_id: string; team_id: string; host: string }>(),
});
/** A team has reservations with time-based work that is due, such as reminders. */
export const scheduledActionsDueEvent = eventType('reservations/work.due', {
  schema: staticSchema<{ team_id: string; work: ScheduledActionKind; reservation_ids: string[] }>(),
});
/** A test clock is being advanced to its target. */
export const testClockAdvancingEvent = eventType('test-clocks/advancing', {
  schema: staticSchema<{ test_clock_id: string; team_id: string }>(),
});
/**
 * A certificate is still unsealed, because an event was lost, all retries failed, or the key was
 * replaced.
 */
export const certificateSealingDueEvent = eventType('certificate/unsealed', {
  schema: staticSchema<Pick<DomainEvent, 'team_id' | 'mode' | 'data'>>(),
});
/** Product events that trigger functions, as the relay sends them. */
export const reservationSignedEvent = eventType('reservation.signed', {
  schema: staticSchema<DomainEvent & Record<string, unknown>>(),
});

export interface InngestKeys {
  signing_key: string;
  event_key: string;
}

/**
 * Returns the keys of the embedded engine. They are derived from the secret, so that all processes
 * of an installation have the same keys and none has to be stored.
 */
export function deriveEmbeddedEngineKeys(): InngestKeys {
  const derive = (purpose: string) => createHmac('sha256', getAppSecret()).update(purpose).digest('hex');
  return { signing_key: `signkey-prod-${derive('inngest signing key')}`, event_key: derive('inngest event key') };
}

/**
 * Creates the client for the embedded engine. `fetch` handles the SDK's requests within the
 * process. The client runs in the SDK's cloud mode (`isDev: false`), in which every call is signed.
 */
export function createEmbeddedEngineClient(keys: InngestKeys, fetch: typeof globalThis.fetch) {
  return new Inngest({
    id: 'threshold',
    isDev: false,
    checkpointing: false,
    signingKey: keys.signing_key,
    eventKey: keys.event_key,
    baseUrl: 'http://engine.invalid/',
    fetch,
    logger: logger(),
  });
}

export function createInngestServerClient() {
  const settings = config().inngest;
  return new Inngest({
    id: 'threshold',
    isDev: settings?.dev ?? false,
    checkpointing: false,
    ...(settings?.signing_key && { signingKey: settings.signing_key }),
    ...(settings?.signing_key_fallback && { signingKeyFallback: settings.signing_key_fallback }),
    ...(settings?.event_key && { eventKey: settings.event_key }),
    ...(settings?.base_url && { baseUrl: settings.base_url }),
    fetch: fetchWithStatus,
    logger: logger(),
  });
}

/**
 * Adds the HTTP status to error responses. Without a status the SDK would treat any JSON, even a
 * gateway's error, as a successful registration. Also counts the outcome of every request that
 * sends events, including the SDK's retries.
 */
const fetchWithStatus: typeof fetch = async (input, init) => {
  const brings_events = new URL(input instanceof Request ? input.url : input).pathname.startsWith('/e/');
  const response = await fetch(input, init).catch((error: Error) => {
    if (brings_events) inngestServerCallCounter.sendFailed(String(error.cause ?? error));
    throw error;
  });
  if (response.ok) {
    if (brings_events) inngestServerCallCounter.sent();
    return response;
  }
  const text = await response.text();
  if (brings_events) inngestServerCallCounter.sendFailed(`${response.status} ${text.slice(0, 200)}`);
  const { error = text.slice(0, 300) } = readObject(text);
  return Response.json({ error, ...readObject(text), status: response.status }, { status: response.status });
};

function readObject(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

export type InngestClient = ReturnType<typeof createInngestServerClient>;
