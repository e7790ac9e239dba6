/**
 * Defines one successful call for every operation, each on its own resources. matrix.test.ts fails
 * for an operation without a case.
 */
import type { Mode, Scope } from '@/shared/scope';
import {
  type ApiCaller,
  buildReservationInput,
  insertTestDeliveryAttempt,
  type MovableClock,
  makeProperty,
  makeRequestLogEntry,
  makeReservation,
  makeSignedReservation,
  makeSms,
  makeSyncSource,
  makeTestClock,
  makeUniqueText,
  makeWebhookEndpoint,
  type ResponseBody,
  removeTestClocks,
  updateSignatureRow,
} from './test-context';

/**
 * The existing data that a case uses: a property, its team's scope, the clock, and a caller whose
 * key has every permission in the case's mode.
 */
export interface ApiOperationTestCaseContext {
  caller: ApiCaller;
  scope: Scope;
  clock: MovableClock;
  /** An existing property. */
  property: ResponseBody;
}

export interface PreparedApiCall {
  /** Values for the path's parameters, in the pattern's order. */
  params: Record<string, string>;
  body?: unknown;
}

export interface ApiOperationTestCase {
  /** Set when the operation exists in only one mode. */
  mode?: Mode;
  prepare(ground: ApiOperationTestCaseContext): Promise<PreparedApiCall>;
}

const none: ApiOperationTestCase = { prepare: async () => ({ params: {} }) };
const onProperty = (body?: object): ApiOperationTestCase => ({
  prepare: async ({ property }) => ({ params: { id: property.id }, body }),
});
const onReservation = (body?: object): ApiOperationTestCase => ({
  prepare: async ({ caller, clock, property }) => ({
    params: { id: (await makeReservation(caller, clock, property.id)).id },
    body,
  }),
});
const onSent = (mode: Mode = 'live'): ApiOperationTestCase => ({
  mode,
  prepare: async ({ caller, clock, property }) => {
    const { id } = await makeReservation(caller, clock, property.id);
    await caller.post(`/reservations/${id}/send`);
    return { params: { id } };
  },
});
/**
 * Builds a case for a second packet of a new property. If the cases shared a property, its packets
 * would exceed the plan's limit.
 */
const onVariant = (body?: object, before?: string): ApiOperationTestCase => ({
  prepare: async ({ caller }) => {
    const property = await makeProperty(caller);
    const { body: packet } = await caller.post(`/properties/${property.id}/packets`, {
      name: makeUniqueText('Variant '),
    });
    if (before) await caller.post(`/packets/${packet.id}/${before}`);
    return { params: { id: packet.id }, body };
  },
});
const onCertificate: ApiOperationTestCase = {
  prepare: async ({ caller, clock, scope, property }) => {
    const { signature_id } = await makeSignedReservation(caller, clock, scope, property.id);
    await updateSignatureRow(signature_id, { sealed_at: clock.now() });
    return { params: { id: signature_id } };
  },
};
const onEndpoint = (body?: object): ApiOperationTestCase => ({
  prepare: async ({ caller }) => ({ params: { id: (await makeWebhookEndpoint(caller)).id }, body }),
});
const onDelivery: ApiOperationTestCase = {
  prepare: async ({ caller, scope }) => {
    const { id } = await makeWebhookEndpoint(caller);
    return { params: { id, evt_id: await insertTestDeliveryAttempt(scope, id) } };
  },
};
const onClock = (body?: object): ApiOperationTestCase => ({
  mode: 'test',
  prepare: async ({ caller, scope }) => {
    await removeTestClocks(scope);
    return { params: { id: (await makeTestClock(caller)).id }, body };
  },
});
const onSource: ApiOperationTestCase = {
  prepare: async ({ scope, property }) => ({ params: { id: await makeSyncSource(scope, property.id) } }),
};

export const API_OPERATION_TEST_CASES: Record<string, ApiOperationTestCase> = {
  'properties.list': none,
  'properties.create': { prepare: async () => ({ params: {}, body: { name: makeUniqueText('Case ') } }) },
  'properties.retrieve': onProperty(),
  'properties.update': onProperty({ city: 'Cascais' }),
  'properties.delete': {
    prepare: async ({ caller }) => ({ params: { id: (await makeProperty(caller)).id } }),
  },
  'packets.list': onProperty(),
  'packets.create': {
    prepare: async ({ caller }) => ({ params: { id: (await makeProperty(caller)).id }, body: { name: 'Summer' } }),
  },
  'packets.retrieve': onVariant(),
  'packets.update': onVariant({ welcome_message: 'Welcome.' }),
  'packets.delete': onVariant(),
  'packets.set_default': onVariant(),
  'packets.archive': onVariant(),
  'packets.restore': onVariant(undefined, 'archive'),
  'packets.retrieve_default': onProperty(),
  'packets.replace_default': onProperty({ rules: [{ text: 'No parties.' }] }),
  'packets.update_default': onProperty({ fees: [{ label: 'Pet fee', amount_cents: 5000 }] }),
  'reservations.list': none,
  'reservations.create': {
    prepare: async ({ clock, property }) => ({ params: {}, body: buildReservationInput(clock, property.id) }),
  },
  'reservations.retrieve': onReservation(),
  'reservations.update': onReservation({ guest_name: 'Grace Hopper' }),
  'reservations.delete': onReservation(),
  'reservations.send': onReservation(),
  'reservations.resend': onSent(),
  'reservations.correct_guest': onReservation({ guest_name: 'Grace Hopper' }),
  'reservations.cancel': onReservation(),
  'reservations.email_preview': onSent('test'),
  'reservations.events': onReservation(),
  'reservations.copy_link': onReservation(),
  'certificates.list': none,
  'certificates.retrieve': onCertificate,
  'certificates.download': onCertificate,
  'certificates.dispute_pack': onCertificate,
  'sync_sources.list': none,
  'sync_sources.retrieve': onSource,
  'sync_sources.run': onSource,
  'sms_messages.list': none,
  'sms_messages.retrieve': { prepare: async ({ scope }) => ({ params: { id: await makeSms(scope) } }) },
  'events.list': none,
  'events.retrieve': {
    prepare: async ({ scope, caller }) => {
      const { id } = await makeWebhookEndpoint(caller);
      return { params: { id: await insertTestDeliveryAttempt(scope, id) } };
    },
  },
  'request_logs.list': none,
  'request_logs.retrieve': { prepare: async ({ scope }) => ({ params: { id: await makeRequestLogEntry(scope) } }) },
  'test_clocks.list': none,
  'test_clocks.create': {
    mode: 'test',
    prepare: async ({ scope }) => {
      await removeTestClocks(scope);
      return { params: {}, body: { name: makeUniqueText('Clock '), frozen_time: '2030-01-01T00:00:00Z' } };
    },
  },
  'test_clocks.retrieve': onClock(),
  'test_clocks.advance': onClock({ frozen_time: '2030-01-02T00:00:00Z' }),
  'test_clocks.delete': onClock(),
  'webhook_endpoints.list': none,
  'webhook_endpoints.create': {
    prepare: async () => ({ params: {}, body: { url: `https://example.com/${makeUniqueText('case')}` } }),
  },
  'webhook_endpoints.retrieve': onEndpoint(),
  'webhook_endpoints.update': onEndpoint({ status: 'disabled' }),
  'webhook_endpoints.delete': onEndpoint(),
  'webhook_endpoints.rotate': onEndpoint(),
  'webhook_endpoints.list_deliveries': onEndpoint(),
  'webhook_endpoints.retrieve_delivery': onDelivery,
  'webhook_endpoints.redeliver': onDelivery,
};

/** Replaces the parameters of a path pattern such as `/properties/{id}`. */
export function fillPathParameters(pattern: string, params: Record<string, string>): string {
  return pattern.replace(/\{([^}]+)\}/g, (_, name: string) => params[name] ?? '');
}
