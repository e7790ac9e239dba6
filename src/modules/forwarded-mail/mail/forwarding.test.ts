/**
 * A forwarded mail yields the same facts as the original, whatever mail program forwarded it. A
 * stay is read identically in every layout.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FICTITIOUS_CHANNEL_DOMAINS } from '../testing/channel-domains';
import {
  buildForwardedMail,
  FORWARDED_MAIL_BUILDERS,
  FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE,
  parseOriginalMailToForward,
} from '../testing/forwarding-forms';
import { extractReservationFromMail } from './extractors/extract';
import { parseForwardedMail } from './parse-forwarded';

const folder = new URL('../fixtures/mail/', import.meta.url);
const OWN = { senders: ['no-reply@threshold.example'], inbound_domain: 'in.threshold.example' };

/** Returns the facts read from a message, without the facts about its forwarding. */
async function factsOf(raw: Uint8Array) {
  const parsed = await parseForwardedMail(raw, OWN);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { mail } = parsed;
  const found = extractReservationFromMail(mail.original, FICTITIOUS_CHANNEL_DOMAINS);
  const facts = {
    ...found,
    from: mail.original.from?.address,
    subject: mail.original.subject,
    day: mail.original.date?.slice(0, 10),
  };
  return { facts, forwarding: mail.forwarding };
}

const mails = await Promise.all(
  readdirSync(folder).map(async (name) => {
    const raw = new Uint8Array(readFileSync(new URL(name, folder)));
    return { name, raw, ...(await factsOf(raw)) };
  }),
);
/**
 * The sample mails whose dates can be read after forwarding. One sample is excluded, because it
 * needs the language header, which mail programs do not forward.
 */
const readable = mails.filter(
  ({ name, facts, forwarding }) =>
    forwarding === 'redirected' && facts.checkin_date && name !== 'form-ambiguous-en-us.eml',
);

describe('a readable sample mail', () => {
  it('is one of at least a dozen', () => {
    expect(readable.length).toBeGreaterThan(11);
    expect(Object.keys(FORWARDED_MAIL_BUILDERS).length).toBeGreaterThanOrEqual(9);
  });

  it.each(Object.keys(FORWARDED_MAIL_BUILDERS))('forwarded %s is read like the original', async (form) => {
    for (const { name, raw, facts } of readable) {
      const mail = await parseOriginalMailToForward(raw);
      for (const words of FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE.filter(
        (_, place) => (place + name.length) % 3 === 0,
      )) {
        const read = await factsOf(buildForwardedMail(mail, form, words));
        expect({ name, forwarder: words.locale, ...read.facts }).toEqual({ name, forwarder: words.locale, ...facts });
        expect(read.forwarding).not.toBe('redirected');
      }
    }
  });

  it.each(Object.keys(FORWARDED_MAIL_BUILDERS))(
    'forwarded %s and then once more is read like the original',
    async (form) => {
      for (const [index, { name, raw, facts }] of readable.entries()) {
        const words = FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE[index % FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE.length]!;
        const once = await parseOriginalMailToForward(
          buildForwardedMail(await parseOriginalMailToForward(raw), form, words),
        );
        for (const [place, again] of Object.keys(FORWARDED_MAIL_BUILDERS).entries()) {
          if ((place + index) % 3 > 0) continue;
          const read = await factsOf(
            buildForwardedMail(
              once,
              again,
              FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE[(index + place) % FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE.length]!,
            ),
          );
          expect({ name, again, ...read.facts }).toEqual({ name, again, ...facts });
        }
      }
    },
  );
});

/** Labels of a channel's mails, one language on each line. */
const LANGUAGES: readonly (readonly [locale: string, checkin: string, checkout: string, code: string])[] = [
  ['en-US', 'Check-in', 'Checkout', 'Confirmation code'],
  ['en-GB', 'Check in', 'Check out', 'Booking number'],
  ['de-DE', 'Anreise', 'Abreise', 'Bestätigungscode'],
  ['de-AT', 'Check-in', 'Check-out', 'Buchungsnummer'],
  ['fr-FR', 'Arrivée', 'Départ', 'Code de confirmation'],
  ['es-ES', 'Llegada', 'Salida', 'Código de confirmación'],
  ['es-MX', 'Entrada', 'Salida', 'Código de reserva'],
  ['it-IT', 'Arrivo', 'Partenza', 'Codice di conferma'],
  ['nl-NL', 'Inchecken', 'Uitchecken', 'Bevestigingscode'],
  ['pt-BR', 'Chegada', 'Saída', 'Código de confirmação'],
  ['sv-SE', 'Incheckning', 'Utcheckning', 'Bekräftelsekod'],
  ['da-DK', 'Indtjekning', 'Udtjekning', 'Bekræftelseskode'],
  ['nb-NO', 'Innsjekking', 'Utsjekking', 'Bekreftelseskode'],
  ['fi-FI', 'Sisäänkirjautuminen', 'Uloskirjautuminen', 'Vahvistuskoodi'],
  ['pl-PL', 'Zameldowanie', 'Wymeldowanie', 'Kod potwierdzenia'],
  ['cs-CZ', 'Příjezd', 'Odjezd', 'Potvrzovací kód'],
  ['hu-HU', 'Érkezés', 'Távozás', 'Visszaigazoló kód'],
  ['ro-RO', 'Sosire', 'Plecare', 'Cod de confirmare'],
  ['el-GR', 'Άφιξη', 'Αναχώρηση', 'Κωδικός επιβεβαίωσης'],
  ['tr-TR', 'Giriş', 'Çıkış', 'Onay kodu'],
  ['ru-RU', 'Заезд', 'Выезд', 'Код подтверждения'],
  ['uk-UA', 'Заїзд', 'Виїзд', 'Код підтвердження'],
  ['ja-JP', 'チェックイン', 'チェックアウト', '確認コード'],
  ['zh-CN', '入住', '退房', '确认码'],
  ['ko-KR', '체크인', '체크아웃', '확인 코드'],
];

interface Written {
  checkin: string;
  checkout: string;
  from: string;
  to: string;
}
const DAY_STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: 'short', day: 'numeric', month: 'short' },
  { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  { day: 'numeric', month: 'long' },
];
const LAYOUTS: Readonly<Record<string, (written: Written) => string>> = {
  columns: ({ checkin, checkout, from, to }) =>
    `${checkin}      ${checkout}\n\n${from}   ${to}\n4:00 PM       11:00 AM`,
  'columns run together': ({ checkin, checkout, from, to }) => `${checkin} ${checkout}\n\n${from} ${to}\n16:00 11:00`,
  'columns with each cell on its own line': ({ checkin, checkout, from, to }) =>
    `${checkin}\n\n${checkout}\n\n${from}\n\n${to}\n\n16:00\n\n11:00`,
  'columns with an arrow': ({ checkin, checkout, from, to }) => `${checkin}      ${checkout}\n${from} → ${to}`,
  'lines below each other': ({ checkin, checkout, from, to }) =>
    `${checkin}\n${from}\n16:00\n\n${checkout}\n${to}\n11:00`,
  'lines next to labels': ({ checkin, checkout, from, to }) => `${checkin}: ${from}\n${checkout}: ${to}`,
  'columns next to labels': ({ checkin, checkout, from, to }) => `${checkin}      ${from}\n${checkout}     ${to}`,
  'one line': ({ checkin, checkout, from, to }) => `${checkin}: ${from}      ${checkout}: ${to}`,
  'one line with a bar': ({ checkin, checkout, from, to }) => `${checkin}: ${from} | ${checkout}: ${to}`,
  'lines with the time first': ({ checkin, checkout, from, to }) =>
    `${checkin}: 16:00, ${from}\n${checkout}: 11:00, ${to}`,
};

describe.each(Object.entries(LAYOUTS))('a stay in %s', (_layout, write) => {
  it.each(LANGUAGES)('is read in %s, also when the mail was forwarded', async (locale, checkin, checkout, code) => {
    for (const style of DAY_STYLES) {
      const day = (text: string) =>
        new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(new Date(text));
      const stay = write({ checkin, checkout, from: day('2026-06-12'), to: day('2026-06-15') });
      const body = `Jane arrives soon.\n\n${stay}\n\n${code}\nHMABCD2345\n`;
      const raw = Buffer.from(
        `From: Channel A <automated@channel-a.example>\r\nSubject: Reservation confirmed - Jane Doe arrives\r\nDate: Fri, 01 May 2026 10:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}`,
      );
      const { facts } = await factsOf(raw);
      const { checkin_date, checkout_date, reservation_code } = facts;
      expect({ body, checkin_date, checkout_date, reservation_code }).toEqual({
        body,
        checkin_date: '2026-06-12',
        checkout_date: '2026-06-15',
        reservation_code: 'HMABCD2345',
      });
      if (style.year) continue;
      const read = await factsOf(
        buildForwardedMail(
          await parseOriginalMailToForward(raw),
          'Apple Mail as text',
          FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE[0]!,
        ),
      );
      expect(read.facts).toEqual(facts);
    }
  });
});
