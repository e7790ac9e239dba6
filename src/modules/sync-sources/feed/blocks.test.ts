/**
 * Tests that texts of blocked nights, in each language of the guest pages, are distinguished from
 * texts of bookings.
 */
import { describe, expect, it } from 'vitest';
import { type CalendarEventAvailability, type CalendarFeedKind, classifyFeedEntry } from './classify';
import { interpretFeed } from './reader';
import { splitFeedIntoEvents } from './text';

const NONE: CalendarEventAvailability = { tentative: false, free: false };
const read = (summary: string, details = '', kind: CalendarFeedKind = 'other_ical', marks = NONE) =>
  classifyFeedEntry(kind, summary, details, marks);

/** Texts written by booking systems and hosts. Each line has one language. */
// biome-ignore format: one line for each language.
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  en: ['Owner stay', 'OWNER STAY', 'Owner block', 'Owner hold', 'Maintenance', 'Annual maintenance', 'Busy', 'Cleaning', 'Deep cleaning', 'Closed', 'CLOSED - Not available', 'Not available', 'Not Available (Guesty)', 'Unavailable', 'Blocked', 'Blocked by Hostaway', 'Blocked - Airbnb', 'Airbnb (Not available)', 'Block', 'Out of order', 'Out of service', 'Renovation', 'Renovations until 12', 'Repairs', 'Private', 'Private use', 'Family visit', 'Do not book', 'On hold', 'HOLD', 'Manual block', 'Preparation time', 'Stop sell', 'Closed period', 'Seasonal closure', 'Blocked-Off Time', 'Turnover day', 'Inspection', 'No check-in', 'Smoobu: blocked', 'Lodgify - Closed period'],
  'en-GB': ['Refurbishment', 'Pest control', 'Painters', 'Own use', 'Owner’s', 'Housekeeping'],
  de: ['Eigenbelegung', 'Eigennutzung', 'Eigentümer', 'Eigenbedarf', 'Privat', 'Wartung', 'Reinigung', 'Endreinigung', 'Renovierung', 'Handwerker im Haus', 'Gesperrt', 'Geschlossen', 'Betriebsferien', 'Nicht verfügbar', 'Nicht buchbar', 'Besetzt', 'Blockiert', 'Blockiert durch Smoobu', 'Winterpause'],
  fr: ['Séjour propriétaire', 'Séjour du propriétaire', 'Propriétaire', 'Usage personnel', 'Entretien', 'Ménage', 'Travaux', 'Rénovation', 'Fermé', 'Fermeture annuelle', 'Bloqué', 'Indisponible', 'Non disponible', 'Occupé', 'Hors saison'],
  es: ['Estancia del propietario', 'Propietario', 'Uso propio', 'Mantenimiento', 'Limpieza', 'Obras', 'Cerrado', 'Cierre de temporada', 'Bloqueado', 'No disponible', 'Ocupado', 'Fuera de servicio'],
  it: ['Soggiorno del proprietario', 'Proprietario', 'Uso personale', 'Manutenzione', 'Pulizie', 'Lavori in corso', 'Chiuso', 'Chiusura stagionale', 'Bloccato', 'Non disponibile', 'Occupato', 'Ristrutturazione'],
  pt: ['Estadia do proprietário', 'Proprietário', 'Uso próprio', 'Manutenção', 'Limpeza', 'Obras', 'Fechado', 'Encerrado', 'Bloqueado', 'Não disponível', 'Indisponível'],
  'pt-BR': ['Faxina', 'Reforma', 'Uso pessoal', 'Dono', 'Bloqueio', 'Não reservar'],
  nl: ['Eigenaar', 'Eigen gebruik', 'Onderhoud', 'Schoonmaak', 'Verbouwing', 'Gesloten', 'Geblokkeerd', 'Niet beschikbaar', 'Bezet', 'Privé'],
  pl: ['Pobyt właściciela', 'Właściciel', 'Konserwacja', 'Sprzątanie', 'Remont', 'Zamknięte', 'Zablokowane', 'Niedostępne', 'Zajęte'],
  ru: ['Проживание владельца', 'Владелец', 'Обслуживание', 'Уборка', 'Ремонт', 'Закрыто', 'Заблокировано', 'Недоступно', 'Занято'],
  ar: ['إقامة المالك', 'المالك', 'صيانة', 'تنظيف', 'مغلق', 'غير متاح', 'محجوب', 'مشغول'],
  'zh-Hans': ['业主自住', '房东自用', '维护', '清洁', '装修', '已关闭', '不可用', '不可预订', '忙碌'],
  ja: ['オーナー滞在', 'メンテナンス', '清掃', '工事', '休業', 'ブロック', '利用不可', '予約不可', '予定あり'],
  ko: ['소유자 숙박', '호스트 사용', '유지보수', '청소', '수리', '휴업', '차단됨', '이용 불가', '예약 불가'],
};

describe('an entry of a non-channel calendar', () => {
  it.each(Object.entries(BLOCKS))('is a block when its summary says so in %s', (_language, phrases) => {
    expect(phrases.filter((phrase) => read(phrase).class !== 'block')).toEqual([]);
  });
  it.each(Object.entries(BLOCKS))(
    'is a booking despite a block’s summary in %s when its description names a guest',
    (_language, phrases) => {
      expect(
        phrases.filter((phrase) => read(phrase, 'Guest: Jane Doe\nPhone: +44 20 7946 0958').class !== 'booking'),
      ).toEqual([]);
    },
  );
  it.each([
    'Jane Doe',
    'Anna Block',
    'Peter Hold',
    'Luca Privat',
    'Müller',
    'Weber',
    'Maria Propietariova',
    'Jan Blockhuis',
    'Mr Closedale',
    'Ada Busyman',
    'Cleaningham, 2 guests',
    '田中',
    'Иванов',
    'Eleanor Ownerby',
  ])('takes a guest’s name from the summary “%s”', (summary) => {
    expect(read(summary)).toMatchObject({ class: 'unknown' });
    expect(read(summary).guest_name).not.toBeNull();
  });
  it.each([
    'Maintenance, Mr Doe',
    'Owner: Smith family',
    'Painters coming at 9',
    'Cleaning Jane',
    'Reserved by the owner',
    'Family Smith private',
    'Airbnb',
    'Booking.com',
    'Vrbo',
  ])('with the ambiguous summary “%s” is doubtful', (summary) => {
    expect(read(summary).class).toBe('doubtful');
  });
  it('marked as free time is doubtful, unless its text shows a booking or a block', () => {
    const free = { ...NONE, free: true };
    expect(read('Jane Doe', '', 'other_ical', free)).toMatchObject({ class: 'doubtful', guest_name: 'Jane Doe' });
    expect(read('Maintenance', '', 'other_ical', free).class).toBe('block');
    expect(read('Reserved - Jane Doe', '', 'other_ical', free)).toMatchObject({
      class: 'booking',
      guest_name: 'Jane Doe',
    });
    expect(read('Jane Doe', 'Phone: +44 20 7946 0958', 'other_ical', free).class).toBe('booking');
    expect(read('Reserved', '', 'channel_a_ical', free).class).toBe('booking');
  });
  it('is marked as free time by TRANSP:TRANSPARENT or BUSYSTATUS:FREE', () => {
    const event = (uid: string, line: string) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART;VALUE=DATE:20260610\r\nDTEND;VALUE=DATE:20260612\r\nSUMMARY:Jane Doe\r\n${line}\r\nEND:VEVENT\r\n`;
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event('1', 'TRANSP:TRANSPARENT')}${event('2', 'TRANSP:OPAQUE')}${event('3', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE')}${event('4', 'X-MICROSOFT-CDO-BUSYSTATUS:BUSY')}END:VCALENDAR\r\n`;
    const opened = splitFeedIntoEvents(new TextEncoder().encode(text));
    if (!opened.ok) throw new Error(opened.reason);
    const { entries } = interpretFeed(opened, { kind: 'other_ical', time_zone: 'UTC', today: '2026-05-01' });
    const classes = Object.fromEntries(entries.map((entry) => [entry.uid, entry.class]));
    expect(classes).toEqual({ 1: 'doubtful', 2: 'unknown', 3: 'doubtful', 4: 'unknown' });
  });
});

describe('a booking system’s entry', () => {
  it.each<[string, string, string, string | null, string | null, string | null]>([
    [
      'Smoobu',
      'Airbnb - Jane Doe',
      'Name: Jane Doe\nTelefon: +49 170 1234567\nBuchungsnummer: 81234567',
      'Jane Doe',
      '4567',
      '81234567',
    ],
    ['Smoobu', 'Reserved', 'Gast: Jürgen Weiß\nE-Mail: j@example.com', 'Jürgen Weiß', null, null],
    ['Lodgify', 'Reserved - Jane Doe', 'Booking ID: B1234567\nPhone: +1 555 010 4821', 'Jane Doe', '4821', 'B1234567'],
    [
      'Hostaway',
      'Reserved',
      'Guest Name: Jane Doe\nGuest Phone: +34 600 123 456\nReservation ID: 12345678',
      'Jane Doe',
      '3456',
      '12345678',
    ],
    ['Guesty', 'Booking.com', 'Guest: Jane Doe\nConfirmation code: GY-ABC123', 'Jane Doe', null, 'GY-ABC123'],
    [
      'OwnerRez',
      'Jane Doe',
      'Renter: Jane Doe\nCell: 555-010-4821\nBooking #: ORB1234567',
      'Jane Doe',
      '4821',
      'ORB1234567',
    ],
    ['Hospitable', 'Airbnb: Jane Doe', 'Guest: Jane Doe\nCode: HMABCD2345', 'Jane Doe', null, 'HMABCD2345'],
  ])(
    'from %s with the summary %j is a booking under the guest’s name',
    (_system, summary, details, guest_name, phone_last4, reservation_code) => {
      expect(read(summary, details)).toMatchObject({ class: 'booking', guest_name, phone_last4, reservation_code });
    },
  );
});

describe('a channel’s name', () => {
  it.each<[CalendarFeedKind, string, string]>([
    ['channel_c_ical', 'CLOSED - Booking.com', 'closure'],
    ['channel_c_ical', 'Reserved - Vrbo', 'closure'],
    ['channel_c_ical', 'CLOSED - Owner stay', 'closure'],
    ['channel_c_ical', 'CLOSED - Maintenance', 'closure'],
    ['channel_b_ical', 'Reserved - Vrbo', 'booking'],
    ['channel_a_ical', 'Reserved - Airbnb', 'booking'],
    ['other_ical', 'Reserved - Vrbo', 'booking'],
    ['channel_b_ical', 'Reserved - Owner stay', 'block'],
    ['channel_a_ical', 'Owner stay', 'block'],
  ])('in a %s summary, %j, is not taken for a guest’s name', (kind, summary, found) => {
    expect(read(summary, '', kind)).toMatchObject({ class: found, guest_name: null });
  });
});

it.each([
  'Reserved',
  'Réservé',
  'Reserviert',
  'Reservado',
  'Riservato',
  'Reservado',
  'Gereserveerd',
  'Reserverad',
  'Reserveret',
  'Reservert',
  'Varattu',
  'Zarezerwowane',
  'Rezervováno',
  'Rezervované',
  'Rezervirano',
  'Foglalt',
  'Rezervat',
  'Reservat',
  'Κρατημένο',
  'Rezerve',
  'Забронировано',
  'Заброньовано',
  'Резервирано',
  'Rezervisano',
  'Broneeritud',
  'Rezervēts',
  'Rezervuota',
  'Frátekið',
  'Riżervat',
  'Dipesan',
  'Đã đặt',
  'จองแล้ว',
  '予約済み',
  '已预订',
  '예약됨',
  'محجوز',
  'שמור',
  'आरक्षित',
])('channel A’s “%s”, without a code, is a booking', (summary) => {
  expect(read(summary, '', 'channel_a_ical').class).toBe('booking');
});
