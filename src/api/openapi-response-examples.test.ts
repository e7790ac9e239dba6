import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { Reservation } from '@/modules/reservations/schemas';
import { buildOpenApiDocument } from './openapi';
import { inlineOpenApiComponentReferences } from './openapi-components';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape is walked.
type Node = any;
const document: Node = inlineOpenApiComponentReferences(JSON.parse(JSON.stringify(buildOpenApiDocument())));

/** Finds every `example` of a body in the document, with its location. */
function examplesIn(node: Node, at = ''): [string, Node][] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries<Node>(node).flatMap(([name, child]) =>
    name === 'example' && child !== null && typeof child === 'object'
      ? [[at, child] as [string, Node]]
      : examplesIn(child, `${at}/${name}`),
  );
}

/** Finds every object in an example, including the example itself. */
const objectsIn = (node: Node): Node[] =>
  node === null || typeof node !== 'object' ? [] : [node, ...Object.values(node).flatMap(objectsIn)];

const examples = [...examplesIn(document.paths), ...examplesIn(document.webhooks)];

/** Functions that find contradictions in a resource's state, by type of resource. */
const PROBLEMS: Record<string, (one: Node) => (string | false)[]> = {
  reservation: (one) => [
    ...problemsOfTimes(one, ['created_at', 'sent_at', 'opened_at', 'clicked_at', 'signed_at', 'updated_at']),
    one.checkout_date <= one.checkin_date && 'departs before arrival',
    (one.status === 'signed') !== (one.signed_at !== null) && 'signed without the time, or the other way round',
    (one.signed_at === null || one.manual_override) !== (one.signature_id === null) && 'signature_id does not fit',
    ['draft', 'synced'].includes(one.status) && one.sent_at !== null && 'sent as a draft',
    ['sent', 'opened', 'clicked'].includes(one.status) && one.sent_at === null && 'never sent',
    one.cancelled_at !== null && one.status !== 'ignored' && 'cancelled in another state',
    one.arrival_release_state !== one.arrival_release.state && 'two arrival states',
    one.arrival_details_held_at !== one.arrival_release.held_at && 'two held_at',
    one.arrival_details_released_at !== one.arrival_release.released_at && 'two released_at',
    one.arrival_details_viewed_at !== one.arrival_release.viewed_at && 'two viewed_at',
    one.arrival_release.released_at !== null && one.signed_at === null && 'released unsigned',
    (one.status === 'draft') !== (one.arrival_release_state === 'not_started') &&
      one.status !== 'ignored' &&
      'arrival state does not fit',
  ],
  property: (one) => problemsOfTimes(one, ['created_at', 'updated_at']),
  packet: (one) => [
    ...problemsOfTimes(one, ['created_at', 'archived_at', 'updated_at']),
    (one.status === 'archived') !== (one.archived_at !== null) && 'archived without the time',
    one.status === 'archived' && one.is_default && 'an archived default',
  ],
  certificate: (one) => [
    one.pdf_available !== (one.verify_url !== null) && 'a PDF without its page',
    (one.verify_url === null) !== (one.verify_token === null) && 'a page without its token',
  ],
  webhook_delivery: (one) => [
    (one.status === 'succeeded') !== (one.delivered_at !== null) && 'accepted without the time',
    (one.status === 'pending') !== (one.attempted_at === null) && 'attempted_at does not fit',
  ],
  test_clock: (one) => [(one.status === 'advancing') !== (one.target_time !== null) && 'target_time does not fit'],
};

function problemsOfTimes(one: Node, names: string[]): (string | false)[] {
  const times = names.map((name) => one[name]).filter((time) => time !== null);
  return [String(times) !== String([...times].sort()) && `out of order: ${times}`];
}

describe('the examples of the API reference', () => {
  it('exist for every response and every event', () => {
    expect(examples.length).toBeGreaterThan(70);
  });

  it.each(examples)('%s is consistent and has no placeholder values', (_at, example) => {
    for (const one of objectsIn(example)) {
      for (const value of Object.values(one)) expect(value).not.toBe('text');
      // Only complete resources are checked. Every complete resource except a certificate has
      // `created_at`.
      const known = one.created_at === undefined && one.object !== 'certificate' ? undefined : PROBLEMS[one.object];
      expect((known?.(one) ?? []).filter(Boolean), JSON.stringify(one)).toEqual([]);
    }
  });

  it('tell one story: one property, one reservation, one guest', () => {
    const all = examples.flatMap(([, example]) => objectsIn(example));
    for (const kind of ['property', 'reservation', 'packet', 'certificate'])
      expect(new Set(all.filter(({ object }) => object === kind).map(({ id }) => id)).size, kind).toBe(1);
    const guests = all.map(({ guest_name }) => guest_name).filter(Boolean);
    expect([...new Set(guests)]).toEqual(['Ada Lovelace']);
  });

  it('have a snapshot whose hash equals the certificate’s', () => {
    const { example } = document.paths['/certificates/{id}'].get.responses['200'].content['application/json'];
    const hash = createHash('sha256')
      .update(canonicalize(example.audit_trail.snapshot) ?? '')
      .digest('hex');
    expect([example.content_hash, example.audit_trail.content_hash]).toEqual([hash, hash]);
  });

  it('show the reservation with every field', () => {
    const { example } = document.paths['/reservations/{id}'].get.responses['200'].content['application/json'];
    expect(Reservation.strict().safeParse(example).error?.issues).toBeUndefined();
  });
});
