/**
 * The chaos run's actors: partners who create, change, send and cancel reservations, and guests who
 * open mails and sign.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@/testing/random';
import type { SentMail } from '../../e2e/support/mail-provider';
import { buildSignFormFields } from '../../e2e/support/sign-form';
import type { AcknowledgedBooking, AcknowledgedWrites } from './acknowledged-writes';
import {
  type ChaosRunState,
  createRetryingPartnerClient,
  fetchWithRetries,
  type RetryingPartnerClient,
} from './retrying-client';

const DAY_MS = 86_400_000;
const USER_AGENT = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';

/** Refusals that are allowed, because another actor may have been faster. */
const LOST_RACES = ['reservation_already_signed', 'reservation_cancelled', 'reservation_not_sent', 'concurrent_edit'];

export interface ChaosActorContext {
  target: ChaosRunState;
  ledger: AcknowledgedWrites;
  api_key: string;
  properties: readonly [string, ...string[]];
  /** Returns false when the actor must stop after its current action. */
  going(): boolean;
}

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

/** Acts as a partner. `number` distinguishes its guests from those of other partners. */
export async function simulatePartnerApiCalls(
  stage: ChaosActorContext,
  random: Random,
  number: number,
  pause_ms: number,
): Promise<void> {
  const partner = createRetryingPartnerClient(stage.target, random, stage.api_key);
  const own: AcknowledgedBooking[] = [];
  for (let count = 0; stage.going(); count++) {
    const booking = await book(stage, partner, random, `guest-${number}-${count}@example.com`);
    own.push(booking);
    await sleep(random.between(0, pause_ms));
    if (random.chance(0.3)) await rename(stage, partner, booking, `Guest ${number}.${count} renamed`);
    if (random.chance(0.9)) await send(stage, partner, booking, 'send');
    await sleep(random.between(0, pause_ms));
    const other = random.pick(own as [AcknowledgedBooking, ...AcknowledgedBooking[]]);
    const whim = random.next();
    if (whim < 0.2 && other.sends > 0) await send(stage, partner, other, 'resend');
    else if (whim >= 0.8 && whim < 0.9) await cancel(stage, partner, other);
    else if (whim >= 0.9) await editPacket(stage, partner, random, number, count);
  }
}

async function book(
  { ledger, properties }: ChaosActorContext,
  partner: RetryingPartnerClient,
  random: Random,
  email: string,
): Promise<AcknowledgedBooking> {
  const request = {
    property_id: random.pick(properties),
    guest_name: `Guest of ${email}`,
    guest_email: email,
    checkin_date: day(random.between(4, 20)),
    checkout_date: day(random.between(21, 30)),
  };
  const { id } = await partner.must('POST', '/reservations', request);
  ledger.acknowledged += 1;
  const { guest_email, guest_name, checkin_date } = request;
  return ledger.add({ id, guest_email, guest_name, checkin_date, sends: 0, cancelled: false, signed: false });
}

async function rename(
  { ledger }: ChaosActorContext,
  partner: RetryingPartnerClient,
  booking: AcknowledgedBooking,
  guest_name: string,
): Promise<void> {
  await partner.must('PATCH', `/reservations/${booking.id}`, { guest_name });
  ledger.acknowledged += 1;
  booking.guest_name = guest_name;
}

async function send(
  stage: ChaosActorContext,
  partner: RetryingPartnerClient,
  booking: AcknowledgedBooking,
  verb: 'send' | 'resend',
): Promise<void> {
  const answer = await partner.call('POST', `/reservations/${booking.id}/${verb}`);
  if (!accepted(stage, answer, `${verb} ${booking.id}`)) return;
  // Sending a reservation again with `send` has no effect.
  if (verb === 'resend' || booking.sends === 0) booking.sends += 1;
}

async function cancel(
  stage: ChaosActorContext,
  partner: RetryingPartnerClient,
  booking: AcknowledgedBooking,
): Promise<void> {
  const answer = await partner.call('POST', `/reservations/${booking.id}/cancel`);
  if (accepted(stage, answer, `cancel ${booking.id}`)) booking.cancelled = true;
}

/**
 * Edits a packet. No other partner edits the packets of this partner's property, so the last
 * acknowledged edit is known.
 */
async function editPacket(
  stage: ChaosActorContext,
  partner: RetryingPartnerClient,
  random: Random,
  number: number,
  count: number,
) {
  const property = stage.properties[number % stage.properties.length] ?? stage.properties[0];
  const welcome_message = `Welcome ${number}.${count}.${random.between(1, 1_000_000)}`;
  await partner.must('PATCH', `/properties/${property}/packet`, { welcome_message });
  stage.ledger.acknowledged += 1;
  stage.ledger.welcome.set(property, welcome_message);
}

function accepted(
  { target, ledger }: ChaosActorContext,
  answer: { status: number; body: unknown },
  what: string,
): boolean {
  if (answer.status >= 200 && answer.status <= 299) {
    ledger.acknowledged += 1;
    return true;
  }
  const text = JSON.stringify(answer.body);
  if (answer.status !== 409 || !LOST_RACES.some((code) => text.includes(`"${code}"`))) {
    target.violations.push(`${what} answered ${answer.status} ${text}`);
  }
  return false;
}

/**
 * Returns whether a mail contains the signed copy. It then links to the guest's own copy and not to
 * a page to sign.
 */
const isCopy = ({ text }: SentMail) => /\/c\/[A-Za-z0-9_-]+/.test(text) && !text.includes('/sign/');

/** Reacts to a mail as a guest: opens the link, and usually signs. Ignores invalid links. */
export async function simulateGuestReactionToMail(
  stage: ChaosActorContext,
  random: Random,
  mail: SentMail,
): Promise<void> {
  const booking = stage.ledger.ofGuest(mail.to);
  if (!booking) return; // The mail informs an owner about a failing endpoint.
  if (isCopy(mail)) return;
  const path = /\/sign\/[A-Za-z0-9_-]+/.exec(mail.text)?.[0];
  if (!path) return void stage.target.violations.push(`a mail to ${mail.to} holds no link`);
  const headers = { 'User-Agent': USER_AGENT, 'Accept-Language': 'en' };
  const pixel = /\/o\/[A-Za-z0-9_-]+\.gif/.exec(mail.html)?.[0];
  if (pixel && random.chance(0.5)) await fetchWithRetries(stage.target, random, pixel, { headers });
  // If a partner edits the packet while the guest reads, the guest's form is returned with the
  // changes.
  for (let reading = 0; reading < 5; reading++) {
    const page = await fetchWithRetries(stage.target, random, path, { headers });
    const form = buildSignFormFields(page.text, 'Ada Lovelace');
    if (page.status !== 200 || !form) return;
    await fetchWithRetries(stage.target, random, `${path}/view`, { method: 'POST', headers });
    await sleep(random.between(50, 600));
    if (random.chance(0.2)) return;
    const body = new URLSearchParams(form);
    stage.ledger.signing += 1;
    const answer = await fetchWithRetries(stage.target, random, path, { method: 'POST', headers, body }).finally(() => {
      stage.ledger.signing -= 1;
    });
    if (answer.status === 303) {
      stage.ledger.acknowledged += 1;
      booking.signed = true;
      if (random.chance(0.5)) await fetchWithRetries(stage.target, random, `${path}/view`, { method: 'POST', headers });
      return;
    }
    if (answer.status !== 200) return;
  }
}
