/**
 * Mails are classified by the channel's own words, in each language. The guest's name and message
 * have no influence.
 */
import { describe, expect, it } from 'vitest';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { FICTITIOUS_CHANNEL_DOMAINS } from '../../testing/channel-domains';
import { getChannelMailSubjects } from '../../testing/channel-subjects';
import { MAIL_KEYWORD_ROOTS_IN_SURNAMES, SURNAMES_WITH_MAIL_KEYWORDS } from '../../testing/surnames';
import { DATE_LANGUAGES } from '../dates/words';
import { extractReservationFromMail, type ReservationExtractionResult } from '../extractors/extract';
import type { BookingChannel } from '../extractors/types';

const CHANNELS: readonly BookingChannel[] = ['channel_a', 'channel_b', 'channel_c'];
const CODES = { channel_a: 'HMABCD2345', channel_b: 'HA-Q2W3E4', channel_c: '3456789012' };
const INTENTS = ['confirmation', 'cancellation', 'change'] as const;

function read(channel: BookingChannel, subject: string, body: string): ReservationExtractionResult {
  const address = `sender@${channel.replace('_', '-')}.example`;
  return extractReservationFromMail(
    {
      from: { name: 'A channel', address },
      subject,
      texts: [body],
      links: [],
      date: '2026-05-01T10:00:00.000Z',
      dated: 'written',
      language: null,
    },
    FICTITIOUS_CHANNEL_DOMAINS,
  );
}

const fill = (subject: string, channel: BookingChannel, name: string) =>
  subject
    .replaceAll('{name}', name)
    .replaceAll('{code}', CODES[channel])
    .replaceAll('{date}', '12.06.2026')
    .replaceAll('{range}', '12.06.2026 – 15.06.2026');

const STAY = 'Check-in: 2026-06-12\nCheck-out: 2026-06-15\n';
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

describe('every subject of every channel', () => {
  const table = CHANNELS.flatMap((channel) =>
    DATE_LANGUAGES.map((language): [BookingChannel, (typeof DATE_LANGUAGES)[number]] => [channel, language]),
  );
  it.each(table)('of %s in %s is classified correctly', (channel, language) => {
    const wrong: string[] = [];
    for (const intent of INTENTS) {
      for (const subject of getChannelMailSubjects(channel, language)[intent]) {
        const found = read(channel, fill(subject, channel, 'Jane Doe'), `${STAY}Booking number: ${CODES[channel]}\n`);
        if (found.intent !== intent) wrong.push(`${subject}: ${found.intent}`);
        if (found.conclusive !== (intent !== 'confirmation')) wrong.push(`${subject}: ${found.conclusive}`);
      }
    }
    expect(wrong).toEqual([]);
  });
  it.each(DATE_LANGUAGES)('of channels A and B in %s gives the guest’s name', (language) => {
    for (const channel of ['channel_a', 'channel_b'] as const) {
      const [subject = ''] = getChannelMailSubjects(channel, language).confirmation;
      const unnamed =
        ['fi', 'hu', 'tr'].includes(language) && channel === 'channel_b' && !subject.includes('vieraalta');
      const expected = unnamed ? null : 'Jane Doe';
      expect(read(channel, fill(subject, channel, 'Jane Doe'), STAY).guest_name).toBe(expected);
    }
  });
});

describe('surnames that contain a word of intent', () => {
  it('number at least five hundred', () => {
    expect(SURNAMES_WITH_MAIL_KEYWORDS.length).toBeGreaterThanOrEqual(500);
    expect(
      SURNAMES_WITH_MAIL_KEYWORDS.filter(
        (name) => !MAIL_KEYWORD_ROOTS_IN_SURNAMES.some((root) => fold(name).includes(fold(root))),
      ),
    ).toEqual([]);
  });
  const table = CHANNELS.flatMap((channel) =>
    DATE_LANGUAGES.map((language): [BookingChannel, (typeof DATE_LANGUAGES)[number]] => [channel, language]),
  );
  it.each(table)('do not change how a mail of %s in %s is classified', MATRIX_TEST_OPTIONS, (channel, language) => {
    const wrong: string[] = [];
    const subjects = getChannelMailSubjects(channel, language);
    const all = INTENTS.flatMap((intent) => subjects[intent].map((subject) => ({ intent, subject })));
    for (const [index, surname] of selectSampledCases([...SURNAMES_WITH_MAIL_KEYWORDS.entries()])) {
      const name = `${['Anna', 'Luca', 'María José', 'J.'][index % 4]} ${surname}`;
      // Each surname is tested with one subject of each intent.
      const some = INTENTS.map((intent) => all.filter((one) => one.intent === intent)).map(
        (kind) => kind[index % kind.length]!,
      );
      for (const { intent, subject } of some) {
        // The bodies of half of the mails contain the guest's name. In the other half, only the
        // subject contains it.
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
  ] as const)('do not change that “%s” of %s is a %s', (subject, channel, intent) => {
    expect(read(channel, subject, STAY).intent).toBe(intent);
  });
  it('and a property’s name with such a word do not change how a mail is classified', () => {
    const body = `Property: Storno Cancelled Lodge\n${STAY}`;
    expect(read('channel_c', 'New booking at Storno Cancelled Lodge (3456789012, 12 June 2026)', body).intent).toBe(
      'confirmation',
    );
  });
});

/**
 * Subjects quoted in public by hosts and programmers. No public source was found for the other
 * languages.
 */
describe('publicly documented subjects', () => {
  it.each([
    ['channel_a', 'Buchung bestätigt – Jane Doe kommt am 12. Juni an', 'confirmation'],
    ['channel_a', 'Deine Buchungsänderung wurde bestätigt', 'change'],
    ['channel_a', 'Buchung aktualisiert', 'change'],
    ['channel_a', 'Jane möchte die Buchung ändern', 'other'],
    ['channel_a', 'Anfrage für „Seaview Loft“ für den 12. Juni', 'other'],
    ['channel_a', 'Reservation confirmed - Jane Doe arrives Jun 12', 'confirmation'],
    ['channel_a', 'Canceled: Reservation HMABCD2345 for Jun 12 – 15, 2026', 'cancellation'],
    ['channel_a', 'Reservation canceled: Jun 12 – 15', 'cancellation'],
    ['channel_a', 'Reservation updated for HMABCD2345', 'change'],
    ['channel_a', '予約確定 - 6月12日にDoeJaneさんが到着予定', 'confirmation'],
    ['channel_a', '予約確定 - Janeさんが6月12日ご到着です', 'confirmation'],
    ['channel_a', '予約変更が承認されました', 'change'],
    ['channel_a', 'Reserva confirmada - Jane Doe chega em 12 de jun', 'confirmation'],
    ['channel_a', 'Prenotazione confermata - Jane Doe arriverà il 12 giu', 'confirmation'],
    ['channel_a', 'Réservation confirmée : Jane Doe arrive le 12 juin', 'confirmation'],
    ['channel_b', 'Instant Booking from Jane Doe: Jun 12 - Jun 15, 2026 - Channel B #4906384', 'confirmation'],
    ['channel_c', 'Channel C - New booking! (5592652343, Friday, 12 June 2026)', 'confirmation'],
    ['channel_c', 'Channel C - New last-minute booking (6936428721, Friday, 12 June 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Cancelled booking! (6906335726, Friday, 12 June 2026)', 'cancellation'],
    ['channel_c', 'Channel C - Canceled booking! (6906335726, Friday, 12 June 2026)', 'cancellation'],
    ['channel_c', 'Channel C - Cancelled booking (6906335726, Friday, 12 June 2026)', 'cancellation'],
    ['channel_c', 'Channel C - Modified booking! (6906335726, Friday, 12 June 2026)', 'change'],
    ['channel_c', 'Channel C - Eine neue Buchung! (5113511120, Freitag, 12. Juni 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Neue Last-Minute-Buchung (5113511120, Freitag, 12. Juni 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Hai una nuova prenotazione! (5113511120, venerdì 12 giugno 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Nuova prenotazione last minute (5113511120, venerdì 12 giugno 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Prenotazione cancellata! (5113511120, venerdì 12 giugno 2026)', 'cancellation'],
    ['channel_c', 'Channel C - Prenotazione modificata! (5113511120, venerdì 12 giugno 2026)', 'change'],
    ['channel_c', 'Channel C - Nouvelle réservation ! (5113511120, vendredi 12 juin 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Réservation annulée (5113511120, vendredi 12 juin 2026)', 'cancellation'],
    ['channel_c', 'Channel C - ¡Nueva reserva! (5113511120, viernes, 12 de junio de 2026)', 'confirmation'],
    [
      'channel_c',
      'Channel C - ¡Nueva reserva! Information about new reservation (5113511120, viernes, 12 de junio de 2026)',
      'confirmation',
    ],
    [
      'channel_c',
      'Channel C - Nueva reserva de última hora (5113511120, viernes, 12 de junio de 2026)',
      'confirmation',
    ],
    ['channel_c', 'Channel C - ¡Reserva cancelada! (5113511120, viernes, 12 de junio de 2026)', 'cancellation'],
    ['channel_c', 'Channel C - ⚠️ Cancelación no registrada (5113511120, 12/6/2026)', 'cancellation'],
    ['channel_c', 'Channel C - ⚠️ Nueva reserva no registrada (5113511120, 12/6/2026)', 'confirmation'],
    ['channel_c', 'Channel C - Nova reserva! (5113511120, sexta-feira, 12 de junho de 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Nieuwe boeking! (5113511120, vrijdag 12 juni 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Nieuwe last-minutereservering (5113511120, vrijdag 12 juni 2026)', 'confirmation'],
    ['channel_c', 'Channel C - Gewijzigde boeking! (5113511120, vrijdag 12 juni 2026)', 'change'],
    ['channel_c', 'Channel C - Geannuleerde boeking! (5113511120, vrijdag 12 juni 2026)', 'cancellation'],
  ] as const)('of %s include “%s”, which is read as %s', (channel, subject, intent) => {
    expect(read(channel, subject, 'Open the extranet to see the booking.').intent).toBe(intent);
  });
  it.each(['予約確定 - 6月12日にJaneさんが到着予定', '予約確定 - Janeさんが6月12日ご到着です'])(
    'include “%s”, which gives the guest’s name',
    (subject) => {
      expect(read('channel_a', subject, '').guest_name).toBe('Jane');
    },
  );
});

describe('a confirmation with a message from the guest', () => {
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
  ])('remains one although the guest writes “%s”', (words) => {
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
  ])('is no confirmation when the channel itself writes “%s”', (words) => {
    const body = `You have a new booking.\n\n${words}\n\nMessage from Jane:\nI look forward to it.\n\n${STAY}`;
    expect(read('channel_c', NEW, body).intent).toBe('other');
  });
});

describe('an advertisement that mentions bookings', () => {
  it.each([
    'Get more bookings confirmed this summer',
    'Get more bookings confirmed…',
    'How to get your first booking confirmed',
    'Confirm more bookings with instant booking',
    'New booking features for hosts',
    'Neue Buchungen gewinnen: jetzt bestätigen',
    'Booked out? Tips for a full calendar',
  ])('is not a booking: “%s”', (subject) => {
    const body = 'Hosts like you earn more.\n\nTurn on instant booking and get reservations confirmed at once.';
    for (const channel of CHANNELS) expect(read(channel, subject, body).intent).toBe('other');
  });
});
