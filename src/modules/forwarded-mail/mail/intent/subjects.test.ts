/** What a mail is, by its channel's own words: in each language, whoever the guest is and whatever the guest writes. */
import { describe, expect, it } from 'vitest';
import { subjectsOf } from '../../testing/channel-subjects';
import { INTENT_ROOTS, SURNAMES } from '../../testing/surnames';
import { LANGUAGES } from '../dates/words';
import { type Extraction, extractReservation } from '../extractors/extract';
import { type Channel, NEUTRAL_CHANNEL_DOMAINS } from '../extractors/types';

const CHANNELS: readonly Channel[] = ['channel_a', 'channel_b', 'channel_c'];
const CODES = { channel_a: 'HMABCD2345', channel_b: 'HA-Q2W3E4', channel_c: '3456789012' };
const INTENTS = ['confirmation', 'cancellation', 'change'] as const;

function read(channel: Channel, subject: string, body: string): Extraction {
  const address = `sender@${channel.replace('_', '-')}.example`;
  return extractReservation(
    {
      from: { name: 'A channel', address },
      subject,
      texts: [body],
      links: [],
      date: '2026-05-01T10:00:00.000Z',
      dated: 'written',
      language: null,
    },
    NEUTRAL_CHANNEL_DOMAINS,
  );
}

const fill = (subject: string, channel: Channel, name: string) =>
  subject
    .replaceAll('{name}', name)
    .replaceAll('{code}', CODES[channel])
    .replaceAll('{date}', '12.06.2026')
    .replaceAll('{range}', '12.06.2026 – 15.06.2026');

const STAY = 'Check-in: 2026-06-12\nCheck-out: 2026-06-15\n';
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

describe('every subject of every channel', () => {
  const table = CHANNELS.flatMap((channel) =>
    LANGUAGES.map((language): [Channel, (typeof LANGUAGES)[number]] => [channel, language]),
  );
  it.each(table)('%s in %s is read for what it says', (channel, language) => {
    const wrong: string[] = [];
    for (const intent of INTENTS) {
      for (const subject of subjectsOf(channel, language)[intent]) {
        const found = read(channel, fill(subject, channel, 'Jane Doe'), STAY);
        if (found.intent !== intent) wrong.push(`${subject}: ${found.intent}`);
      }
    }
    expect(wrong).toEqual([]);
  });
  it.each(LANGUAGES)('names the guest of channels A and B in %s', (language) => {
    for (const channel of ['channel_a', 'channel_b'] as const) {
      const [subject = ''] = subjectsOf(channel, language).confirmation;
      const unnamed =
        ['fi', 'hu', 'tr'].includes(language) && channel === 'channel_b' && !subject.includes('vieraalta');
      const expected = unnamed ? null : 'Jane Doe';
      expect(read(channel, fill(subject, channel, 'Jane Doe'), STAY).guest_name).toBe(expected);
    }
  });
});

describe('five hundred surnames that hold a word of intent', () => {
  it('are that many, and do', () => {
    expect(SURNAMES.length).toBeGreaterThanOrEqual(500);
    expect(SURNAMES.filter((name) => !INTENT_ROOTS.some((root) => fold(name).includes(fold(root))))).toEqual([]);
  });
  const table = CHANNELS.flatMap((channel) =>
    LANGUAGES.map((language): [Channel, (typeof LANGUAGES)[number]] => [channel, language]),
  );
  it.each(table)('decide nothing in a mail of %s in %s', (channel, language) => {
    const wrong: string[] = [];
    const subjects = subjectsOf(channel, language);
    const all = INTENTS.flatMap((intent) => subjects[intent].map((subject) => ({ intent, subject })));
    for (const [index, surname] of SURNAMES.entries()) {
      const name = `${['Anna', 'Luca', 'María José', 'J.'][index % 4]} ${surname}`;
      // Each surname in one subject of each kind; a neighbour has the next.
      const some = INTENTS.map((intent) => all.filter((one) => one.intent === intent)).map(
        (kind) => kind[index % kind.length]!,
      );
      for (const { intent, subject } of some) {
        // The body names the guest as well, or the subject alone.
        const body = index % 2 === 0 ? `Guest name: ${name}\n${STAY}` : STAY;
        const written = fill(subject, channel, name);
        const found = read(channel, written, body).intent;
        if (found !== intent) wrong.push(`${written}: ${found}`);
      }
    }
    expect(wrong.slice(0, 20)).toEqual([]);
  });
  it.each([
    ['Reservation confirmed - Anna Cancellieri arrives Jun 12', 'channel_a', 'confirmation'],
    ['Instant Booking from Luca Storni: Jun 1 - Jun 5, 2026 - Channel B #4821193', 'channel_b', 'confirmation'],
    ['Reservation confirmed - Marco Amendola arrives Jun 12', 'channel_a', 'confirmation'],
    ['Reservation confirmed - Change Booked arrives Jun 12', 'channel_a', 'confirmation'],
    ['Anna Confirmed cancelled the reservation', 'channel_a', 'cancellation'],
    ['Channel C: Reservation Cancelled', 'channel_c', 'cancellation'],
    ['New booking at “Villa Storno Modified” (3456789012, 12 June 2026)', 'channel_c', 'confirmation'],
  ] as const)('“%s” of %s is a %s', (subject, channel, intent) => {
    expect(read(channel, subject, STAY).intent).toBe(intent);
  });
  it('nor does the property’s name, where the mail names it', () => {
    const body = `Property: Storno Cancelled Lodge\n${STAY}`;
    expect(read('channel_c', 'New booking at Storno Cancelled Lodge (3456789012, 12 June 2026)', body).intent).toBe(
      'confirmation',
    );
  });
});

describe('what the guest writes', () => {
  const CONFIRMED = 'Reservation confirmed - Jane Doe arrives Jun 12';
  const NEW = 'New booking! (3456789012, Friday 12 June 2026)';
  const HEAD =
    'NEW BOOKING CONFIRMED! JANE ARRIVES JUN 12.\n\nSend a message to confirm check-in details.\n\nJane\n\nIdentity verified · 2 reviews\n\n';
  it.each([
    'My flight is not confirmed yet',
    'Hi! My flight is\nnot confirmed yet, so we may arrive late.',
    'Our ferry has not been confirmed. Pending.',
    'Mein Flug ist noch nicht bestätigt.',
    'Mon vol n’est pas encore confirmé.',
    'Mi vuelo no está confirmado todavía: sin confirmar.',
    'Il mio volo non è ancora confermato.',
    'Mijn vlucht is nog niet bevestigd.',
    'O meu voo não está confirmado.',
    'I had to cancel my other trip. Can you accept or decline a cot?',
  ])('“%s” leaves a confirmation one', (words) => {
    const body = `${HEAD}${words}\n\nSend Jane a Message\n\n${STAY}`;
    expect(read('channel_a', CONFIRMED, body).intent).toBe('confirmation');
    for (const written of [
      `“${words}”`,
      `Message from Jane:\n${words}`,
      `Special requests: ${words}`,
      `> ${words.replaceAll('\n', '\n> ')}`,
      words,
    ]) {
      expect(read('channel_c', NEW, `You have a new booking.\n\n${written}\n\n${STAY}`).intent).toBe('confirmation');
    }
  });
  it.each([
    'This stay has not been confirmed yet.',
    'Accept | Decline',
    'You have 24 hours to respond.',
    'Diese Buchung ist noch nicht bestätigt.',
  ])('but “%s”, which the channel writes, does not', (words) => {
    const body = `You have a new booking.\n\n${words}\n\nMessage from Jane:\nI look forward to it.\n\n${STAY}`;
    expect(read('channel_c', NEW, body).intent).toBe('other');
  });
});

describe('what only looks like a booking', () => {
  it.each([
    'Get more bookings confirmed this summer',
    'Get more bookings confirmed…',
    'How to get your first booking confirmed',
    'Confirm more bookings with instant booking',
    'New booking features for hosts',
    'Neue Buchungen gewinnen: jetzt bestätigen',
    'Booked out? Tips for a full calendar',
  ])('“%s” is none', (subject) => {
    const body = 'Hosts like you earn more.\n\nTurn on instant booking and get reservations confirmed at once.';
    for (const channel of CHANNELS) expect(read(channel, subject, body).intent).toBe('other');
  });
});
