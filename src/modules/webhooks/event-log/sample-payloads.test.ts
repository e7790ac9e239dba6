import { describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { Certificate } from '@/modules/certificates/schemas';
import { Packet } from '@/modules/packets/schemas';
import { Property } from '@/modules/properties/schemas';
import { Reservation } from '@/modules/reservations/schemas';
import { SyncSource } from '@/modules/sync-sources/schemas';
import { buildSamplePayload } from './sample-payloads';
import { buildTestEventData, isObjectIdOfWebhookTestEvent } from './test-event.rules';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const SCHEMAS = {
  reservation: Reservation.strict(),
  certificate: Certificate.strict(),
  property: Property.strict(),
  // In events, `arrival_details` contains only the names of groups.
  packet: Packet.omit({ arrival_details: true }).loose(),
  sync_source: SyncSource.strict(),
};

describe('sample payloads', () => {
  it.each(EVENT_TYPE_NAMES)('%s contains the resource as the API returns it', (type) => {
    const { object } = buildSamplePayload(type, NOW) as { object: { object: keyof typeof SCHEMAS } };
    expect(object.object).toBe(type.startsWith('sync_source') ? 'sync_source' : type.split('.')[0]);
    expect(SCHEMAS[object.object].safeParse(object).error?.issues).toBeUndefined();
  });

  it('contain the event’s additional fields, and a resource in a matching state', () => {
    expect(buildSamplePayload('reservation.signed', NOW)).toMatchObject({
      object: { status: 'signed', signed_at: NOW.toISOString(), arrival_release_state: 'released' },
      certificate_id: expect.stringMatching(/^sig_/),
    });
    expect(buildSamplePayload('reservation.cancelled', NOW)).toMatchObject({
      object: { status: 'ignored' },
      reason: 'api',
    });
    for (const state of ['held', 'released', 'viewed', 'override_released'] as const) {
      expect(buildSamplePayload(`reservation.arrival_details_${state}`, NOW)).toMatchObject({
        object: { arrival_release_state: state, arrival_release: { state } },
        arrival_release: { state, released: expect.any(Array), withheld: expect.any(Array) },
      });
    }
    expect(buildSamplePayload('reservation.arrival_details_override_released', NOW)).toMatchObject({
      by: expect.any(String),
      reason: expect.any(String),
    });
    expect(buildSamplePayload('property.updated', NOW)).toHaveProperty('previous_attributes');
    expect(buildSamplePayload('sync_source.run.completed', NOW)).toHaveProperty('run.created', 1);
  });
});

describe('test events', () => {
  it('differ from the sample payload only in the field test_event', () => {
    for (const type of EVENT_TYPE_NAMES) {
      expect(buildTestEventData(type, NOW)).toEqual({ ...buildSamplePayload(type, NOW), test_event: true });
    }
  });

  it('have an endpoint’s id as their object, which no other event has', () => {
    expect(isObjectIdOfWebhookTestEvent('whe_01jd8z6q0v7m3k5n9r2t4w6y8a')).toBe(true);
    for (const id of ['res_01jd8z6q0v7m3k5n', 'prop_01jd8z6q0v7m3k5n', 'pkt_1', 'sig_1', 'ss_1', '']) {
      expect(isObjectIdOfWebhookTestEvent(id)).toBe(false);
    }
  });
});
