/** The client. Its groups of operations are built from operations.ts. */
import { List, type Page } from './list.js';
import {
  CERTIFICATES_OPERATIONS,
  EVENTS_OPERATIONS,
  PACKETS_OPERATIONS,
  PROPERTIES_OPERATIONS,
  REQUEST_LOGS_OPERATIONS,
  RESERVATIONS_OPERATIONS,
  SMS_MESSAGES_OPERATIONS,
  SYNC_SOURCES_OPERATIONS,
  TEST_CLOCKS_OPERATIONS,
  WEBHOOK_ENDPOINTS_OPERATIONS,
} from './operations.js';
import { type ThresholdOptions, Transport } from './transport.js';
import type { Methods, RequestOptions, Route } from './types.js';

export class Threshold {
  /** Listings, with their branding and automation settings. */
  readonly properties: Methods<typeof PROPERTIES_OPERATIONS>;
  /** The documents that a guest acknowledges. A property may have several variants. */
  readonly packets: Methods<typeof PACKETS_OPERATIONS>;
  /** The signing of a packet by one guest: created, sent, signed. */
  readonly reservations: Methods<typeof RESERVATIONS_OPERATIONS>;
  /** The proof of a signature. */
  readonly certificates: Methods<typeof CERTIFICATES_OPERATIONS>;
  /** Calendar feeds and forwarding addresses that create reservations. */
  readonly syncSources: Methods<typeof SYNC_SOURCES_OPERATIONS>;
  /** The SMS delivery log (beta). */
  readonly smsMessages: Methods<typeof SMS_MESSAGES_OPERATIONS>;
  /** Events in the format in which they are delivered (beta). */
  readonly events: Methods<typeof EVENTS_OPERATIONS>;
  /** Logged requests to the API (beta). */
  readonly requestLogs: Methods<typeof REQUEST_LOGS_OPERATIONS>;
  /** Clocks that set the time of test-mode properties (beta). */
  readonly testClocks: Methods<typeof TEST_CLOCKS_OPERATIONS>;
  /** Endpoints that receive events, and every delivery attempt (beta). */
  readonly webhookEndpoints: Methods<typeof WEBHOOK_ENDPOINTS_OPERATIONS>;

  constructor(options: ThresholdOptions) {
    const transport = new Transport(options);
    const group = <Rows extends Readonly<Record<string, Route>>>(rows: Rows) =>
      Object.fromEntries(
        Object.entries(rows).map(([name, row]) => [name, method(transport, row, name.startsWith('list'))]),
      ) as unknown as Methods<Rows>;
    this.properties = group(PROPERTIES_OPERATIONS);
    this.packets = group(PACKETS_OPERATIONS);
    this.reservations = group(RESERVATIONS_OPERATIONS);
    this.certificates = group(CERTIFICATES_OPERATIONS);
    this.syncSources = group(SYNC_SOURCES_OPERATIONS);
    this.smsMessages = group(SMS_MESSAGES_OPERATIONS);
    this.events = group(EVENTS_OPERATIONS);
    this.requestLogs = group(REQUEST_LOGS_OPERATIONS);
    this.testClocks = group(TEST_CLOCKS_OPERATIONS);
    this.webhookEndpoints = group(WEBHOOK_ENDPOINTS_OPERATIONS);
  }
}

type Query = Record<string, unknown>;

/**
 * Creates the function for one row of operations.ts. Its arguments are the ids in the path, then
 * the body or query, then options.
 */
function method(transport: Transport, row: Route, lists: boolean) {
  const [verb = '', template = '', input] = row.split(' ');
  const places = template.split('{').length - 1;
  return (...given: unknown[]) => {
    const ids = given.splice(0, places);
    const body = input === 'body' ? given.shift() : undefined;
    const query = input === 'query' ? (given.shift() as Query | undefined) : undefined;
    const options = given.shift() as RequestOptions | undefined;
    const send = async (asked?: Query) =>
      transport.send({ method: verb, path: filled(template, ids), query: asked, body, options });
    // List operations without query parameters have only one page, so no cursor is sent.
    return lists
      ? new List((asked) => send(input === undefined ? undefined : asked) as Promise<Page<unknown>>, query)
      : send(query);
  };
}

/**
 * Inserts the ids into the path. Throws for an empty id, because the path would then address the
 * whole list.
 */
function filled(template: string, ids: unknown[]): string {
  let next = 0;
  return template.replace(/\{\w+\}/g, () => {
    const id = ids[next++];
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`An id is missing: ${template}`);
    return encodeURIComponent(id);
  });
}
