/**
 * The specification's arrival-release recipe, step by step, with checks of the expected effects.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EventType, type Threshold, webhooks } from '@threshold/client';
import type Stripe from 'stripe';
import type { ReceivedWebhook, WebhookReceiver } from '@/testing/receiver';
import { checkPdfWithPdfsigAndQpdf, expectEqual, expectTrue, retryUntilResult, verifyAuditTrailHashes } from './checks';
import { createGuestClient, extractSigningUrlPathFromMail } from './guest';
import { expectHttpStatus } from './partner';

/** Runs one step and prints it. The work returns its result and a short description. */
export type RecipeStepRunner = <Result>(title: string, work: () => Promise<[Result, string]>) => Promise<Result>;

export interface DemoRecipeContext {
  readonly origin: string;
  readonly partner: Threshold;
  readonly receiver: WebhookReceiver;
  readonly step: RecipeStepRunner;
  /** The folder to which the PDF and the audit JSON are written. */
  readonly output: string;
}

const WIFI = { network: 'Harbour', password: 'seagull-77' };
const DOOR_CODE = '4711#';
const CHECKIN_NOTES = 'The key safe is left of the blue door.';
const SAFETY = 'Fire extinguisher: under the stairs. Emergency: 112.';
const EVENTS: EventType[] = [
  'reservation.sent',
  'reservation.clicked',
  'reservation.signed',
  'reservation.arrival_details_held',
  'reservation.arrival_details_released',
  'reservation.arrival_details_viewed',
  'reservation.arrival_details_override_released',
  'certificate.created',
];

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/**
 * Runs the recipe. Throws DemoCheckFailedError at the first difference from the specification.
 */
export async function runAndCheckArrivalReleaseRecipe({
  origin,
  partner,
  receiver,
  step,
  output,
}: DemoRecipeContext): Promise<void> {
  const property = await step('A property', async () => {
    const body = await expectHttpStatus(
      201,
      partner.properties.create({ name: 'Harbour Loft', timezone: 'Europe/Lisbon' }),
    );
    expectEqual('object', body.object, 'property');
    return [body, body.id];
  });

  await step('Its packet withholds door code and notes until signing', async () => {
    await expectHttpStatus(200, partner.packets.retrieveDefault(property.id));
    const change = partner.packets.updateDefault(property.id, {
      welcome_message: 'Welcome to the harbour!',
      rules: [{ text: 'No smoking indoors.' }, { text: 'Quiet after 22:00.' }],
      fees: [{ label: 'Late check-out', amount_cents: 5000 }],
      safety_notes: SAFETY,
      arrival_details: { wifi: WIFI, door_code: DOOR_CODE, checkin_notes: CHECKIN_NOTES },
      arrival_release: { door_code: 'after_signing', checkin_notes: 'after_signing' },
    });
    const body = await expectHttpStatus(200, change);
    expectEqual('door_code', body.arrival_release.door_code, 'after_signing');
    expectEqual('wifi', body.arrival_release.wifi, 'before_signing');
    expectEqual('the fee’s class', body.fees[0]?.type, 'conditional_late_checkout');
    return [body, body.id];
  });

  await step('A webhook endpoint', async () => {
    const body = await expectHttpStatus(201, partner.webhookEndpoints.create({ url: receiver.url, events: EVENTS }));
    expectEqual('status', body.status, 'enabled');
    receiver.secrets.push(body.signing_secret);
    return [body, body.id];
  });

  const reservation = await step('A reservation', async () => {
    const creation = partner.reservations.create({
      property_id: property.id,
      guest_name: 'Ada Lovelace',
      guest_email: 'ada@example.com',
      checkin_date: day(3),
      checkout_date: day(6),
    });
    const body = await expectHttpStatus(201, creation);
    expectEqual('status', body.status, 'draft');
    expectEqual('arrival_release_state', body.arrival_release_state, 'not_started');
    return [body, body.id];
  });

  await step('Sent to the guest', async () => {
    const body = await expectHttpStatus(200, partner.reservations.send(reservation.id));
    expectEqual('status', body.status, 'sent');
    expectEqual('arrival_release_state', body.arrival_release_state, 'ready_to_hold');
    expectTrue('a test send names its preview', typeof body.email_preview_url === 'string');
    const again = await expectHttpStatus(200, partner.reservations.send(reservation.id));
    expectEqual('a second send changes nothing', again.sent_at, body.sent_at);
    return [body, `at ${body.sent_at}`];
  });

  const link = await step('The mail', async () => {
    const body = await expectHttpStatus(200, partner.reservations.emailPreview(reservation.id));
    expectEqual('would_send_to', body.would_send_to, 'ada@example.com');
    expectEqual(
      'the link is the same in both forms',
      extractSigningUrlPathFromMail(body.html),
      extractSigningUrlPathFromMail(body.text),
    );
    return [extractSigningUrlPathFromMail(body.text), body.subject];
  });
  const ada = createGuestClient(origin, link);

  const shown = await step('The guest opens the link', async () => {
    const page = await ada.open();
    expectTrue('the page does not hold the door code', !page.includes(DOOR_CODE));
    expectTrue('the page does not hold the check-in notes', !page.includes('key safe'));
    expectTrue('the page shows what is not withheld', page.includes(WIFI.password));
    expectTrue('the page shows the safety notes', page.includes('Fire extinguisher'));
    const before = await expectHttpStatus(200, partner.reservations.retrieve(reservation.id));
    expectEqual('a bare GET is no human view', before.status, 'sent');
    await ada.look();
    return [page, 'without what is withheld'];
  });

  await step('… and the event tells that details are held', async () => {
    const { event } = await arrival(receiver, reservation.id, 'reservation.arrival_details_held');
    expectEqual('withheld', [...event.data.arrival_release.withheld].sort(), ['checkin_notes', 'door_code']);
    const body = await expectHttpStatus(200, partner.reservations.retrieve(reservation.id));
    expectEqual('status', body.status, 'clicked');
    expectEqual('arrival_release.next_events', body.arrival_release.next_events, ['released', 'override_released']);
    return [null, `withheld: ${event.data.arrival_release.withheld.join(', ')}`];
  });

  await step('The guest signs', async () => {
    const page = await ada.sign(shown, 'Ada Lovelace');
    expectTrue('the page now shows the door code', page.includes(DOOR_CODE));
    return [null, 'and sees the door code'];
  });

  await step('… and the event releases the details', async () => {
    const { event } = await arrival(receiver, reservation.id, 'reservation.arrival_details_released');
    const { state, released, withheld } = event.data.arrival_release;
    expectEqual('state', state, 'released');
    expectEqual('released', [...released].sort(), ['checkin_notes', 'door_code', 'wifi']);
    expectEqual('withheld', withheld, []);
    expectTrue('the event holds names, never content', !JSON.stringify(event).includes(DOOR_CODE));
    return [null, `released: ${released.join(', ')}`];
  });

  await step('The guest comes back', async () => {
    await ada.open();
    await ada.look();
    await arrival(receiver, reservation.id, 'reservation.arrival_details_viewed');
    const body = await expectHttpStatus(200, partner.reservations.retrieve(reservation.id));
    expectEqual('arrival_release_state', body.arrival_release_state, 'viewed');
    return [null, 'viewed'];
  });

  const certificate = await step('The certificate', async () => {
    const { event } = await arrival(receiver, reservation.id, 'reservation.signed');
    const id = event.data.certificate_id;
    const body = await retryUntilResult('the PDF', async () => {
      const answer = await expectHttpStatus(200, partner.certificates.retrieve(id));
      return answer.pdf_available ? answer : null;
    });
    expectEqual('reservation_id', body.reservation_id, reservation.id);
    verifyAuditTrailHashes(body.audit_trail, body.content_hash ?? '');
    await arrival(receiver, reservation.id, 'certificate.created');
    return [body, `${id}, content hash recomputed`];
  });

  await step('Its PDF', async () => {
    const pdf = await partner.certificates.download(certificate.id);
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expectTrue('it is a PDF', bytes.subarray(0, 5).toString() === '%PDF-');
    await mkdir(output, { recursive: true });
    await writeFile(join(output, 'certificate.pdf'), bytes);
    await writeFile(join(output, 'certificate.json'), `${JSON.stringify(certificate, null, 2)}\n`);
    const verdict = await checkPdfWithPdfsigAndQpdf(join(output, 'certificate.pdf'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return [null, `${Math.round(bytes.length / 1024)} KiB, sha256 ${sha256.slice(0, 12)}…; ${verdict}`];
  });

  await step('Its verification page', async () => {
    const page = await fetch(`${origin}${new URL(certificate.verify_url ?? '').pathname}`);
    expectEqual('GET verify_url', page.status, 200);
    const words = (await page.text()).replace(/<[^>]*>|\s/g, '');
    expectTrue('the page names the content hash', words.includes(certificate.content_hash ?? '-'));
    return [null, 'names the same content hash'];
  });

  await step('The timeline', async () => {
    const body = await expectHttpStatus(200, partner.reservations.events(reservation.id));
    const types = body.data.map((entry) => entry.type.replace('reservation.', ''));
    const expected = ['created', 'sent', 'clicked', 'arrival_details_held', 'signed', 'arrival_details_released'];
    const order = [...expected, 'arrival_details_viewed'].map((type) => types.indexOf(type));
    expectTrue(`all steps are there: ${types.join(', ')}`, !order.includes(-1));
    expectEqual(
      'they are in order',
      [...order].sort((a, b) => a - b),
      order,
    );
    const signed = body.data.find((entry) => entry.type === 'reservation.signed');
    expectEqual('the signature names its hash', signed?.content_hash, certificate.content_hash);
    await writeFile(join(output, 'timeline.json'), `${JSON.stringify(body, null, 2)}\n`);
    return [null, types.join(' → ')];
  });

  await step('Every webhook', async () => {
    const words = await checkDeliveries(receiver);
    return [null, words];
  });
}

function arrival(receiver: WebhookReceiver, reservation_id: string, type: string): Promise<ReceivedWebhook> {
  const about = ({ event }: ReceivedWebhook) =>
    event.data.object?.id === reservation_id || event.data.object?.reservation_id === reservation_id;
  return receiver.waitFor((received) => received.event.type === type && about(received), type, 60_000);
}

/**
 * Checks that every delivery is signed and has the specification's headers. The client verifies
 * each signature, and so does Stripe's library if it is installed.
 */
async function checkDeliveries(receiver: WebhookReceiver): Promise<string> {
  const stripe = await import('stripe').then(
    (module) => module.default as typeof Stripe,
    () => null,
  );
  for (const { headers, raw_body, event, verified, received_at } of receiver.received) {
    expectEqual(`the signature of ${event.id} holds`, verified, true);
    expectEqual('Service-Event', headers['service-event'], event.type);
    expectEqual('Service-Event-Id', headers['service-event-id'], event.id);
    expectEqual('Content-Type', headers['content-type'], 'application/json');
    expectTrue('Service-Delivery-Id', /^whd_/.test(String(headers['service-delivery-id'])));
    expectTrue('Service-Attempt', /^[1-9]\d*$/.test(String(headers['service-attempt'])));
    expectEqual('livemode', event.livemode, false);
    await webhooks.verify(raw_body, headers, receiver.secrets, { now: received_at.getTime() });
    stripe?.webhooks.constructEvent(raw_body, String(headers['service-signature']), receiver.secrets[0] ?? '');
  }
  const events = new Set(receiver.received.map(({ event }) => event.id)).size;
  return `${events} events in ${receiver.received.length} deliveries, every signature verified${stripe ? ', also by Stripe’s library' : ''}`;
}
