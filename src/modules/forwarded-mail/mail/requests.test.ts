/** A request is not a booking: in each language, however it was forwarded. */
import { describe, expect, it } from 'vitest';
import { extractReservation } from './extractors/extract';
import { NEUTRAL_CHANNEL_DOMAINS } from './extractors/types';
import { parseForwarded } from './parse-forwarded';

const OWN = { senders: ['no-reply@threshold.example'], inbound_domain: 'in.threshold.example' };
const STAY = 'Guest: Jane Doe\nCheck-in: 2026-06-12\nCheck-out: 2026-06-15\n';

interface Mail {
  subject: string;
  body: string;
  /** A channel's, or a form's of the host's own site. */
  from: string;
}

const HEAD =
  'To: k7f2m9@in.threshold.example\nMessage-ID: <x@host.example>\nDate: Fri, 01 May 2026 10:00:00 +0000\nMIME-Version: 1.0';
const TEXT = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit';
const HOST = 'From: Hanna Host <hanna@host.example>';

const FORMS: Record<string, (mail: Mail) => string> = {
  redirected: ({ subject, body, from }) => `From: ${from}\nSubject: ${subject}\n${HEAD}\n${TEXT}\n\n${body}`,
  'forwarded in the text': ({ subject, body, from }) =>
    `${HOST}\nSubject: Fwd: ${subject}\n${HEAD}\n${TEXT}\n\n---------- Forwarded message ---------\nFrom: ${from}\nDate: Fri, 1 May 2026 at 08:30\nSubject: ${subject}\nTo: <hanna@host.example>\n\n${body}`,
  'forwarded under a subject of the host’s own': ({ subject, body, from }) =>
    `${HOST}\nSubject: New booking\n${HEAD}\n${TEXT}\n\n---------- Forwarded message ---------\nFrom: ${from}\nDate: Fri, 1 May 2026 at 08:30\nSubject: ${subject}\nTo: <hanna@host.example>\n\n${body}`,
  attached: ({ subject, body, from }) =>
    `${HOST}\nSubject: Fwd: ${subject}\n${HEAD}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n${TEXT}\n\nFYI\n--b\nContent-Type: message/rfc822\n\nFrom: ${from}\nSubject: ${subject}\nMessage-ID: <y@a.example>\nDate: Fri, 01 May 2026 08:30:00 +0000\nMIME-Version: 1.0\n${TEXT}\n\n${body}\n--b--\n`,
};

async function intentOf(raw: string): Promise<string> {
  const parsed = await parseForwarded(new TextEncoder().encode(raw.replaceAll('\n', '\r\n')), OWN);
  if (!parsed.ok) throw new Error(parsed.message);
  return extractReservation(parsed.mail.original, NEUTRAL_CHANNEL_DOMAINS).intent;
}

const CHANNEL = '"Channel A" <automated@channel-a.example>';
const FORM = 'Website <form@cottage.example>';

/** Subjects that a word of confirmation, or the form alone, made a booking of. */
const REQUESTS = [
  'Request to book: confirm Jane’s stay',
  'New reservation request from Jane',
  'New booking inquiry',
  'New booking: accept or decline',
  'Your booking is not confirmed',
  'New booking (unconfirmed)',
  'Neue Buchungsanfrage: bestätigen Sie',
  'Neue Buchung: annehmen oder ablehnen',
  'Buchung noch nicht bestätigt',
  'Nouvelle réservation : demande de Jane',
  'Nouvelle réservation : accepter ou refuser',
  'Réservation non confirmée',
  'Nueva reserva: solicitud de Jane',
  'Nueva reserva: aceptar o rechazar',
  'Reserva no confirmada',
  'Nuova prenotazione: richiesta di Jane',
  'Prenotazione non confermata',
  'Nuova prenotazione: accetta o rifiuta',
  'Nieuwe boeking: aanvraag van Jane',
  'Boeking nog niet bevestigd',
  'Nova reserva: pedido de Jane',
  'Reserva não confirmada',
  'Ny bokning: förfrågan',
  'Bokningen är inte bekräftad',
  'Ny booking: forespørgsel',
  'Bestilling ikke bekreftet: forespørsel',
  'Varauspyyntö',
  'Prośba o rezerwację',
  '予約リクエスト: 確定してください',
  '预订申请 (未确认)',
  '예약 요청: 확정',
];

describe.each(Object.entries(FORMS))('%s', (_form, build) => {
  it.each(REQUESTS)('“%s” is not a booking', async (subject) => {
    for (const from of [CHANNEL, FORM]) {
      const raw = build({ subject, from, body: STAY });
      expect(await intentOf(raw)).not.toBe('confirmation');
    }
  });
  it.each([
    'You have 24 hours to accept or decline.',
    'Accept | Decline',
    'This stay has not been confirmed yet.',
    'Bitte annehmen oder ablehnen.',
    'Diese Buchung ist noch nicht bestätigt.',
    'Accepter ou refuser',
    'Cette réservation n’est pas encore confirmée.',
    'Aceptar o rechazar',
    'La reserva todavía no está confirmada: no confirmada.',
    'Accetta o rifiuta',
    'Accepteren of weigeren',
    'Aceitar ou recusar',
  ])('a mail that says “%s” is not a booking', async (line) => {
    expect(await intentOf(build({ subject: 'New booking', from: CHANNEL, body: `${line}\n\n${STAY}` }))).toBe('other');
  });
  it.each([
    'Reservation confirmed - Jane Doe arrives Jun 12',
    'Buchung bestätigt: Jane Doe',
    'Réservation confirmée : Jane Doe',
    'Reserva confirmada: Jane Doe',
    'Prenotazione confermata: Jane Doe',
    'Boeking bevestigd: Jane Doe',
    'Bokning bekräftad: Jane Doe',
    '予約確定',
  ])('“%s” is still a booking, whatever the guest asked for', async (subject) => {
    const body = `${STAY}\nSpecial requests: late check-in\nYou accepted Jane’s request to book.\n`;
    expect(await intentOf(build({ subject, from: CHANNEL, body }))).toBe('confirmation');
  });
});
