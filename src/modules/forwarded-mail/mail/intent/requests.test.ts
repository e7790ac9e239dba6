/**
 * A booking request is never mistaken for a booking, in any language and in any form of forwarding.
 */
import { describe, expect, it } from 'vitest';
import { FICTITIOUS_CHANNEL_DOMAINS } from '../../testing/channel-domains';
import { extractReservationFromMail } from '../extractors/extract';
import { parseForwardedMail } from '../parse-forwarded';

const OWN = { senders: ['no-reply@threshold.example'], inbound_domain: 'in.threshold.example' };
const STAY = 'Guest: Jane Doe\nCheck-in: 2026-06-12\nCheck-out: 2026-06-15\n';

interface Mail {
  subject: string;
  body: string;
  /** The sender: a channel, or a form on the host's own website. */
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
  const parsed = await parseForwardedMail(new TextEncoder().encode(raw.replaceAll('\n', '\r\n')), OWN);
  if (!parsed.ok) throw new Error(parsed.reason);
  return extractReservationFromMail(parsed.mail.original, FICTITIOUS_CHANNEL_DOMAINS).intent;
}

const CHANNEL = '"Channel A" <automated@channel-a.example>';
const FORM = 'Website <form@cottage.example>';

/**
 * Subjects that were once mistaken for a booking, because of their form or a word of confirmation.
 */
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
  'Νέο αίτημα κράτησης',
  'Η κράτηση δεν έχει επιβεβαιωθεί',
  'Yeni rezervasyon talebi',
  'Yeni rezervasyon (onaylanmadı)',
  'Новый запрос на бронирование',
  'Новое бронирование не подтверждено',
  'Новое бронирование ожидает подтверждения',
  'Новий запит на бронювання',
  'Нове бронювання не підтверджено',
  'Új foglalási kérelem',
  'Új foglalás: nincs megerősítve',
  'Cerere nouă de rezervare',
  'Rezervare neconfirmată',
  'Nova sol·licitud de reserva',
  'Nová žádost o rezervaci',
  'Nová rezervace není potvrzena',
  'Nová žiadosť o rezerváciu',
  'Nová rezervácia nie je potvrdená',
  'Novi zahtjev za rezervaciju',
  'Nova rezervacija nije potvrđena',
  'Varausta ei ole vahvistettu',
  'Nowa rezerwacja: zapytanie',
  'Nowa rezerwacja oczekuje na potwierdzenie',
];

describe.each(Object.entries(FORMS))('a mail that was %s', (_form, build) => {
  it.each(REQUESTS)('with the subject “%s” is not a booking', async (subject) => {
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
    'Acceptera eller neka',
    'Accepter eller afvis',
    'Godta eller avslå',
    'Hyväksy tai hylkää',
    'Zaakceptuj lub odrzuć',
    'Przyjmij lub odrzuć',
    'Přijmout nebo odmítnout',
    'Prijať alebo odmietnuť',
    'Prihvati ili odbij',
    'Elfogadás vagy elutasítás',
    'Acceptă sau refuză',
    'Accepta o rebutja',
    'Αποδοχή ή απόρριψη',
    'Kabul et veya reddet',
    'Принять или отклонить',
    'Прийняти або відхилити',
    '承認または辞退してください',
    '接受或拒绝',
    '수락 또는 거절',
    'You have 24 hours to respond.',
    'Pre-approve / Decline',
  ])('with “%s” in its text is not a booking', async (line) => {
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
    'Reservation bekræftet: Jane Doe',
    'Bestilling bekreftet: Jane Doe',
    'Varaus vahvistettu: Jane Doe',
    'Rezerwacja potwierdzona: Jane Doe',
    'Rezervace potvrzena: Jane Doe',
    'Rezervácia potvrdená: Jane Doe',
    'Rezervacija potvrđena: Jane Doe',
    'Foglalás visszaigazolva: Jane Doe',
    'Rezervare confirmată: Jane Doe',
    'Reserva confirmada: Jane Doe',
    'Η κράτηση επιβεβαιώθηκε: Jane Doe',
    'Rezervasyon onaylandı: Jane Doe',
    'Бронирование подтверждено: Jane Doe',
    'Бронювання підтверджено: Jane Doe',
    'Uusi varaus!',
    'Nowa rezerwacja!',
    'Nová rezervace!',
    'Új foglalás!',
    'Νέα κράτηση!',
    'Yeni rezervasyon!',
    'Новое бронирование!',
    '新しい予約',
    '新预订',
    '새 예약',
    '予約確定',
  ])('with the subject “%s” is a booking despite the guest’s requests', async (subject) => {
    const body = `${STAY}\nSpecial requests: late check-in\nYou accepted Jane’s request to book.\n`;
    expect(await intentOf(build({ subject, from: CHANNEL, body }))).toBe('confirmation');
  });
});

describe.each(Object.entries(FORMS).filter(([form]) => !form.includes('own')))('a mail that was %s', (_form, build) => {
  it.each([
    'Reservation canceled: Jane Doe',
    'Buchung storniert: Jane Doe',
    'Réservation annulée : Jane Doe',
    'Reserva anulada: Jane Doe',
    'Prenotazione annullata: Jane Doe',
    'Boeking geannuleerd: Jane Doe',
    'Reserva cancelada: Jane Doe',
    'Bokning avbokad: Jane Doe',
    'Reservation aflyst: Jane Doe',
    'Bestilling kansellert: Jane Doe',
    'Varaus peruttu: Jane Doe',
    'Rezerwacja anulowana: Jane Doe',
    'Rezervace zrušena: Jane Doe',
    'Rezervácia zrušená: Jane Doe',
    'Rezervacija otkazana: Jane Doe',
    'Foglalás lemondva: Jane Doe',
    'Rezervare anulată: Jane Doe',
    'Η κράτηση ακυρώθηκε: Jane Doe',
    'Rezervasyon iptal edildi: Jane Doe',
    'Бронирование отменено: Jane Doe',
    'Бронювання скасовано: Jane Doe',
    '予約キャンセル',
    '预订已取消',
    '예약 취소',
  ])('with the subject “%s” is a cancellation, even from a web form', async (subject) => {
    for (const from of [CHANNEL, FORM])
      expect(await intentOf(build({ subject, from, body: STAY }))).toBe('cancellation');
  });
});
