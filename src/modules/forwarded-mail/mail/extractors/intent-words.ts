/** What a mail's subject says it is: a cancellation, a change, a confirmation. A language or two a line. */

const anyOf = (lines: readonly string[]) => new RegExp(lines.join('|'), 'iu');

// biome-ignore format: a language a line.
export const CANCELLATION = anyOf([
  'cancel|annul|storn|anula|anulowan|odwołan',
  'avbok|afbestil|avbestil|aflys|avlys|kansell|inställd',
  'geannuleerd|peruut|peruttu|zruš|otkaz|lemond|törölt|törölve',
  'ακυρ|ακύρ|iptal|отмен|скасов',
  'キャンセル|取消|취소',
]);

// biome-ignore format: a language a line.
export const CHANGE = anyOf([
  String.raw`\b(?:changed?\b|modif|updated?\b|alter|amend)`,
  'modifi|geändert|änderung|umgebucht|cambio|modifica|gewijzigd|wijziging|alterad|alteração',
  'ändrad|ændret|endret|muutettu|muutos|muuttunut|zmienion|zmiana|změn|zmen|promijenj|izmijenj|izmjen|módosít',
  'αλλαγ|τροποπο|değiş|измен|змінен|зміна',
  '変更|更改|변경',
]);

// biome-ignore format: a language a line.
export const CONFIRMATION = anyOf([
  'confirm|instant booking|new (?:booking|reservation)|booked',
  'bestätig|neue (?:buchung|reservierung)|sofortbuchung',
  'nouvelle (?:réservation|reservation)|réservation instantanée',
  'nueva reserva|reserva inmediata|nova reserva|reserva imediata|rezervare nouă',
  'nuova prenotazione|prenotazione (?:immediata|confermata)|conferma',
  'nieuwe (?:boeking|reservering)|bevestig|directe boeking',
  'bekräftad|ny bokning|bekræftet|ny (?:booking|reservation)|bekreftet|ny bestilling|vahvist|uusi varaus',
  'potwierdz|nowa rezerwacja|potvrz|potvrd|potvrđ|potrjen|nová rezerv|nova rezervacija',
  'visszaigazol|megerősít|új foglalás',
  'επιβεβαι|νέα κράτηση|onaylan|onayı|yeni rezervasyon',
  'подтвержд|новое бронирование|підтвердж|нове бронювання',
  '確定|新しい予約|新規予約|已确认|已確認|新预订|新訂單|新的预订|확정|새 예약|새로운 예약',
]);
