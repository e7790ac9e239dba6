/**
 * Subjects of each channel's mails by language. `{name}` is the guest's name, `{date}` and
 * `{range}` are days, and `{code}` is the booking's code. Written for tests, from examples that
 * hosts and programmers have published. Tests only.
 */

import type { DateLanguage } from '../mail/dates/words';
import type { BookingChannel } from '../mail/extractors/types';

export interface ChannelMailSubjects {
  readonly confirmation: readonly string[];
  readonly cancellation: readonly string[];
  readonly change: readonly string[];
}

type Row = readonly [confirmed: string, cancelled: string, changed: string];

/** Subjects that contain a dash, then the guest's name, then the check-in day. */
const CHANNEL_A: Readonly<Record<DateLanguage, Row>> = {
  en: [
    'Reservation confirmed - {name} arrives {date}',
    'Canceled: Reservation {code} for {range}',
    'Reservation updated - {name}',
  ],
  fr: [
    'Réservation confirmée : {name} arrive le {date}',
    'Annulée : réservation {code} du {range}',
    'Réservation modifiée : {name}',
  ],
  de: [
    'Buchung bestätigt – {name} kommt am {date} an',
    'Storniert: Buchung {code} für {range}',
    'Buchung geändert: {name}',
  ],
  es: [
    'Reserva confirmada: {name} llega el {date}',
    'Cancelada: reserva {code} del {range}',
    'Reserva modificada: {name}',
  ],
  it: [
    'Prenotazione confermata - {name} arriverà il {date}',
    'Cancellata: prenotazione {code} per {range}',
    'Prenotazione modificata: {name}',
  ],
  pt: [
    'Reserva confirmada - {name} chega em {date}',
    'Cancelada: reserva {code} para {range}',
    'Reserva alterada: {name}',
  ],
  nl: [
    'Reservering bevestigd - {name} komt aan op {date}',
    'Geannuleerd: reservering {code} voor {range}',
    'Reservering gewijzigd: {name}',
  ],
  sv: ['Bokning bekräftad – {name} anländer {date}', 'Avbokad: bokning {code} för {range}', 'Bokning ändrad: {name}'],
  da: [
    'Reservation bekræftet – {name} ankommer {date}',
    'Annulleret: reservation {code} for {range}',
    'Reservation ændret: {name}',
  ],
  no: [
    'Reservasjon bekreftet – {name} ankommer {date}',
    'Kansellert: reservasjon {code} for {range}',
    'Reservasjon endret: {name}',
  ],
  fi: ['Varaus vahvistettu – {name} saapuu {date}', 'Peruutettu: varaus {code} {range}', 'Varausta muutettu: {name}'],
  pl: [
    'Rezerwacja potwierdzona – {name} przyjeżdża {date}',
    'Anulowano: rezerwacja {code} na {range}',
    'Rezerwacja zmieniona: {name}',
  ],
  cs: [
    'Rezervace potvrzena – {name} přijíždí {date}',
    'Zrušeno: rezervace {code} na {range}',
    'Rezervace změněna: {name}',
  ],
  sk: [
    'Rezervácia potvrdená – {name} prichádza {date}',
    'Zrušené: rezervácia {code} na {range}',
    'Rezervácia zmenená: {name}',
  ],
  hr: [
    'Rezervacija potvrđena – {name} dolazi {date}',
    'Otkazano: rezervacija {code} za {range}',
    'Rezervacija izmijenjena: {name}',
  ],
  hu: [
    'Foglalás visszaigazolva – {name} érkezik {date}',
    'Lemondva: foglalás {code}, {range}',
    'Foglalás módosítva: {name}',
  ],
  ro: [
    'Rezervare confirmată – {name} sosește pe {date}',
    'Anulată: rezervarea {code} pentru {range}',
    'Rezervare modificată: {name}',
  ],
  ca: [
    'Reserva confirmada: {name} arriba el {date}',
    'Cancel·lada: reserva {code} del {range}',
    'Reserva modificada: {name}',
  ],
  el: [
    'Η κράτηση επιβεβαιώθηκε – {name} φτάνει {date}',
    'Ακυρώθηκε: κράτηση {code} για {range}',
    'Η κράτηση τροποποιήθηκε: {name}',
  ],
  tr: [
    'Rezervasyon onaylandı – {name} geliyor {date}',
    'İptal edildi: {code} rezervasyonu, {range}',
    'Rezervasyon değiştirildi: {name}',
  ],
  ru: [
    'Бронирование подтверждено – {name} приезжает {date}',
    'Отменено: бронирование {code} на {range}',
    'Бронирование изменено: {name}',
  ],
  uk: [
    'Бронювання підтверджено – {name} прибуває {date}',
    'Скасовано: бронювання {code} на {range}',
    'Бронювання змінено: {name}',
  ],
  ja: ['予約確定 - {name}さんが{date}に到着', 'キャンセル：予約{code}（{range}）', '予約が変更されました：{name}さん'],
  zh: ['预订已确认 - {name} 将于 {date} 入住', '已取消：预订 {code}（{range}）', '预订已更改：{name}'],
  ko: ['예약 확정 - {name} 님 {date} 도착', '취소됨: 예약 {code} ({range})', '예약 변경됨: {name}'],
};

/** Subjects that contain "from", then the guest's name, then a colon and the days. */
const CHANNEL_B: Readonly<Record<DateLanguage, Row>> = {
  en: [
    'Instant Booking from {name}: {range} - Channel B #4821193',
    'Cancelled booking from {name}: {range} - Channel B #4821193',
    'Modified booking from {name}: {range} - Channel B #4821193',
  ],
  fr: [
    'Réservation instantanée de {name} : {range}',
    'Réservation annulée de {name} : {range}',
    'Modification de la réservation de {name} : {range}',
  ],
  de: [
    'Sofortbuchung von {name}: {range}',
    'Stornierte Buchung von {name}: {range}',
    'Geänderte Buchung von {name}: {range}',
  ],
  es: [
    'Reserva inmediata de {name}: {range}',
    'Reserva cancelada de {name}: {range}',
    'Reserva modificada de {name}: {range}',
  ],
  it: [
    'Prenotazione immediata di {name}: {range}',
    'Prenotazione annullata di {name}: {range}',
    'Prenotazione modificata di {name}: {range}',
  ],
  pt: [
    'Reserva imediata de {name}: {range}',
    'Reserva cancelada de {name}: {range}',
    'Reserva alterada de {name}: {range}',
  ],
  nl: [
    'Directe boeking van {name}: {range}',
    'Geannuleerde boeking van {name}: {range}',
    'Gewijzigde boeking van {name}: {range}',
  ],
  sv: ['Direktbokning från {name}: {range}', 'Avbokning från {name}: {range}', 'Ändrad bokning från {name}: {range}'],
  da: [
    'Direkte booking fra {name}: {range}',
    'Annulleret booking fra {name}: {range}',
    'Ændret booking fra {name}: {range}',
  ],
  no: [
    'Direktebestilling fra {name}: {range}',
    'Avbestilling fra {name}: {range}',
    'Endret bestilling fra {name}: {range}',
  ],
  fi: ['Pikavaraus vieraalta {name}: {range}', 'Varaus peruttu, {name}: {range}', 'Varausmuutos, {name}: {range}'],
  pl: [
    'Natychmiastowa rezerwacja od {name}: {range}',
    'Anulowana rezerwacja od {name}: {range}',
    'Zmiana rezerwacji od {name}: {range}',
  ],
  cs: [
    'Okamžitá rezervace od {name}: {range}',
    'Zrušená rezervace od {name}: {range}',
    'Změna rezervace od {name}: {range}',
  ],
  sk: [
    'Okamžitá rezervácia od {name}: {range}',
    'Zrušená rezervácia od {name}: {range}',
    'Zmena rezervácie od {name}: {range}',
  ],
  hr: [
    'Trenutačna rezervacija od {name}: {range}',
    'Otkazana rezervacija od {name}: {range}',
    'Izmjena rezervacije od {name}: {range}',
  ],
  hu: [
    'Azonnali foglalás, {name}: {range}',
    'Lemondott foglalás, {name}: {range}',
    'Módosított foglalás, {name}: {range}',
  ],
  ro: [
    'Rezervare instantanee de la {name}: {range}',
    'Rezervare anulată de la {name}: {range}',
    'Rezervare modificată de la {name}: {range}',
  ],
  ca: [
    'Reserva immediata de {name}: {range}',
    'Reserva cancel·lada de {name}: {range}',
    'Canvi de la reserva de {name}: {range}',
  ],
  el: [
    'Άμεση κράτηση από {name}: {range}',
    'Ακύρωση κράτησης από {name}: {range}',
    'Αλλαγή κράτησης από {name}: {range}',
  ],
  tr: [
    'Anında rezervasyon, {name}: {range}',
    'İptal edilen rezervasyon, {name}: {range}',
    'Rezervasyon değişikliği, {name}: {range}',
  ],
  ru: [
    'Мгновенное бронирование от {name}: {range}',
    'Отмена бронирования от {name}: {range}',
    'Изменение бронирования от {name}: {range}',
  ],
  uk: [
    'Миттєве бронювання від {name}: {range}',
    'Скасування бронювання від {name}: {range}',
    'Зміна бронювання від {name}: {range}',
  ],
  ja: ['{name}様からの即時予約：{range}', '{name}様の予約キャンセル：{range}', '{name}様の予約変更：{range}'],
  zh: ['来自 {name} 的即时预订：{range}', '{name} 取消了预订：{range}', '{name} 更改了预订：{range}'],
  ko: ['{name} 님의 즉시 예약: {range}', '{name} 님의 예약 취소: {range}', '{name} 님의 예약 변경: {range}'],
};

/**
 * Subjects that contain a number and a day, but not the guest's name. New bookings have a
 * last-minute variant.
 */
const CHANNEL_C: Readonly<
  Record<DateLanguage, readonly [confirmed: string, last_minute: string, cancelled: string, changed: string]>
> = {
  en: ['New booking!', 'New last-minute booking!', 'Cancelled booking!', 'Modified booking!'],
  fr: [
    'Nouvelle réservation !',
    'Nouvelle réservation de dernière minute !',
    'Réservation annulée !',
    'Réservation modifiée !',
  ],
  de: ['Neue Buchung!', 'Neue Last-Minute-Buchung!', 'Stornierte Buchung!', 'Geänderte Buchung!'],
  es: ['¡Nueva reserva!', '¡Nueva reserva de última hora!', '¡Reserva cancelada!', '¡Reserva modificada!'],
  it: [
    'Nuova prenotazione!',
    'Nuova prenotazione last minute!',
    'Prenotazione cancellata!',
    'Prenotazione modificata!',
  ],
  pt: ['Nova reserva!', 'Nova reserva de última hora!', 'Reserva cancelada!', 'Reserva alterada!'],
  nl: ['Nieuwe boeking!', 'Nieuwe last-minutereservering!', 'Geannuleerde boeking!', 'Gewijzigde boeking!'],
  sv: ['Ny bokning!', 'Ny sista minuten-bokning!', 'Avbokad bokning!', 'Ändrad bokning!'],
  da: ['Ny booking!', 'Ny last minute-booking!', 'Aflyst booking!', 'Ændret booking!'],
  no: ['Ny bestilling!', 'Ny siste liten-bestilling!', 'Avbestilt bestilling!', 'Endret bestilling!'],
  fi: ['Uusi varaus!', 'Uusi äkkilähtövaraus!', 'Peruttu varaus!', 'Muutettu varaus!'],
  pl: ['Nowa rezerwacja!', 'Nowa rezerwacja last minute!', 'Odwołana rezerwacja!', 'Zmieniona rezerwacja!'],
  cs: ['Nová rezervace!', 'Nová last minute rezervace!', 'Zrušená rezervace!', 'Změněná rezervace!'],
  sk: ['Nová rezervácia!', 'Nová last minute rezervácia!', 'Zrušená rezervácia!', 'Zmenená rezervácia!'],
  hr: ['Nova rezervacija!', 'Nova last minute rezervacija!', 'Otkazana rezervacija!', 'Promijenjena rezervacija!'],
  hu: ['Új foglalás!', 'Új last minute foglalás!', 'Törölt foglalás!', 'Módosított foglalás!'],
  ro: ['Rezervare nouă!', 'Rezervare last minute nouă!', 'Rezervare anulată!', 'Rezervare modificată!'],
  ca: ['Nova reserva!', 'Nova reserva d’última hora!', 'Reserva cancel·lada!', 'Reserva modificada!'],
  el: ['Νέα κράτηση!', 'Νέα κράτηση τελευταίας στιγμής!', 'Ακύρωση κράτησης!', 'Τροποποίηση κράτησης!'],
  tr: ['Yeni rezervasyon!', 'Yeni son dakika rezervasyonu!', 'İptal edilen rezervasyon!', 'Değiştirilen rezervasyon!'],
  ru: [
    'Новое бронирование!',
    'Новое бронирование в последнюю минуту!',
    'Отмененное бронирование!',
    'Измененное бронирование!',
  ],
  uk: ['Нове бронювання!', 'Нове бронювання в останню хвилину!', 'Скасоване бронювання!', 'Змінене бронювання!'],
  ja: ['新しい予約', '新しい直前予約', '予約のキャンセル', '予約の変更'],
  zh: ['新预订！', '新的最后一刻预订！', '预订已取消！', '预订已修改！'],
  ko: ['새 예약!', '새로운 임박 예약!', '예약 취소!', '예약 변경!'],
};

/** Returns a channel's subjects in a language. */
export function getChannelMailSubjects(channel: BookingChannel, language: DateLanguage): ChannelMailSubjects {
  if (channel === 'channel_c') {
    const [confirmed, last_minute, cancelled, changed] = CHANNEL_C[language];
    const full = (words: string) => [`${words} ({code}, {date})`, `Channel C - ${words} ({code}, {date})`];
    return {
      confirmation: [...full(confirmed), ...full(last_minute)],
      cancellation: full(cancelled),
      change: full(changed),
    };
  }
  const [confirmed, cancelled, changed] = (channel === 'channel_a' ? CHANNEL_A : CHANNEL_B)[language];
  return { confirmation: [confirmed], cancellation: [cancelled], change: [changed] };
}
