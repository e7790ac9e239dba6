/**
 * The fixed phrases in channels' subjects, in the notation of `shared/text/phrases`. Only whole
 * words match, because some surnames contain these words (Cancellieri, Storni, Amendola).
 */
import { PhraseMatcher } from '@/shared/text/phrases';

// biome-ignore format: a language a line.
export const BOOKING_CANCELLATION_PHRASES = new PhraseMatcher([
  'cancelled|canceled|cancels|cancelling|canceling|cancellation|cancellations|cancelation|cancel',
  'annulé|annulée|annulés|annulées|annulation|annulations|annuler',
  'storniert|stornierte|stornierten|stornierter|stornierung*|buchungsstornierung*|reservierungsstornierung*|storno|annulliert|abgesagt',
  'cancelado|cancelada|cancelados|canceladas|cancelación|cancelaciones|canceló|cancelar|anulado|anulada|anulación|anuló|anular',
  'cancellato|cancellata|cancellate|cancellati|cancellazione|cancellazioni|cancellare|annullato|annullata|annullamento|annullare|disdetta|disdetto',
  'cancelamento|cancelou|anulação|anulou',
  'geannuleerd|geannuleerde|annuleert|annuleren|annulering*|reserveringsannulering*|boekingsannulering*',
  'avbokad|avbokade|avbokat|avbokar|avbokning*|bokningsavbokning*|inställd|inställt',
  'afbestilt|afbestilling*|aflyst|aflyste|aflyser|aflysning*|annulleret|annullerede|annullering*|annullert|avbestilt|avbestilling*|avlyst|avlyste|avlysning*|kansellert|kansellerte|kanselleret|kansellering*',
  'peruttu|perutettu|peruutettu|peruutus*|peruuttanut|peruuttaa|perunut|perui|varausperuutus',
  'anulowano|anulowana|anulowany|anulowane|anulowanie|anulował|anulowała|odwołano|odwołana|odwołany|odwołane|odwołanie|odwołał|odwołała',
  'zrušeno|zrušena|zrušen|zrušená|zrušené|zrušení|zrušil|zrušila|zrušenie|stornováno|stornována|stornované|stornovaná',
  'otkazano|otkazana|otkazan|otkazane|otkazivanje|otkazao|otkazala|preklicano|preklicana|preklican|preklic|odpovedana|odpovedano',
  'lemondva|lemondta|lemondás*|lemondott|lemondása|törölt*|törölve|törlés*|visszamond*|sztornó*',
  'anulată|anulat|anulate|anulare|anularea',
  'cancel·lada|cancel·lat|cancel·lades|cancel·lació|cancel·lar|anul·lada|anul·lació',
  'ακυρω*|ακυρο*',
  'iptal|iptali',
  'отмена|отмены|отмену|отмене|отменено|отменена|отменен|отменены|отменил|отменила|отменяет|отмененн*|аннулирован*',
  'скасовано|скасована|скасован|скасоване|скасований|скасування|скасував|скасувала',
  'キャンセル|取消|取り消|취소',
]);

// biome-ignore format: a language a line.
export const BOOKING_CHANGE_PHRASES = new PhraseMatcher([
  'change|changed|changes|modified|modify|modification|modifications|update|updated|alter|altered|alteration|alterations|amended|amendment',
  'modifié|modifiée|modifiés|modifiées|modifier|changement|changements',
  'geändert|geänderte|geänderten|geänderter|änderung|änderungen|buchungsänderung*|reservierungsänderung*|umgebucht|umgebuchte|umbuchung*|aktualisiert*',
  'modificado|modificada|modificados|modificadas|modificación|modificó|cambio|cambios|cambiado|cambiada|alterado|alterada|alteración',
  'modificato|modificata|modificate|modifica|modifiche|cambiata|cambiato|variazione|variata',
  'alterou|alteração|alterações|modificação|mudança',
  'gewijzigd|gewijzigde|wijzigt|wijziging*|reserveringswijziging*|boekingswijziging*|aangepast|aangepaste',
  'ändrad|ändrade|ändrat|ändrar|ändring*|bokningsändring*|ombokad|ombokning*',
  'ændret|ændrede|ændrer|ændring*|endret|endrede|endrer|endring*|bestillingsendring*|ombooket',
  'muutettu|muutettiin|muuttunut|muutos|muutokset|muutoksia|muutoksen|varausmuutos|varausmuutokset|päivitetty',
  'zmieniono|zmieniona|zmieniony|zmienione|zmiana|zmiany|zmienił|zmieniła|zmodyfikowan*',
  'změna|změny|změnu|změněno|změněna|změněn|změněná|změnil|změnila|zmena|zmeny|zmenu|zmenené|zmenená|zmenený|zmenil|zmenila|upraveno|upravena|upravená|upravené',
  'promijenjen*|izmijenjen*|izmjena|izmjene|izmenjen*|izmena|izmene|spremenjen*|sprememba|spremembe',
  'módosít*|megváltoz*',
  'modificată|modificat|modificare|modificarea|schimbată|schimbare',
  'modificació|canvi|canvis|canviada|canviat',
  'αλλαγη|αλλαγες|αλλαξε|τροποποι*',
  'değiş*|güncellen*',
  'изменено|изменена|изменен|изменены|изменение|изменения|изменил|изменила|изменяет|измененн*|обновлен*',
  'змінено|змінена|змінен|змінені|змінене|зміна|зміни|змінив|змінила|оновлено|оновлена',
  '変更|更改|变更|變更|修改|변경',
]);

/** Phrases in subjects that confirm a booking. */
// biome-ignore format: a language a line.
export const BOOKING_CONFIRMATION_PHRASES = new PhraseMatcher([
  'confirmed|confirmation|instant booking|booked',
  'confirmé|confirmée|confirmés|confirmation|réservation instantanée',
  'bestätigt|bestätigte|bestätigung|buchungsbestätigung*|reservierungsbestätigung*|sofortbuchung*',
  'confirmado|confirmada|confirmación|reserva inmediata|confirmó',
  'confermato|confermata|conferma|prenotazione immediata',
  'confirmação|confirmou|reserva imediata',
  'bevestigd|bevestigde|bevestiging*|boekingsbevestiging*|reserveringsbevestiging*|directe boeking|directe reservering',
  'bekräftad|bekräftat|bekräftelse*|bokningsbekräftelse*|direktbokning*|omedelbar bokning',
  'bekræftet|bekræftelse*|bookingbekræftelse*|reservationsbekræftelse*|direkte booking|bekreftet|bekreftelse*|bestillingsbekreftelse*|direktebestilling*|direktebooking*',
  'vahvistettu|vahvistus*|varausvahvistus*|vahvistunut|pikavaraus*',
  'potwierdzono|potwierdzona|potwierdzony|potwierdzone|potwierdzenie|natychmiastowa rezerwacja',
  'potvrzeno|potvrzena|potvrzen|potvrzení|okamžitá rezervace|potvrdené|potvrdená|potvrdenie|okamžitá rezervácia',
  'potvrđena|potvrđeno|potvrđen|potvrda|trenutačna rezervacija|trenutna rezervacija|instant rezervacija|potrjena|potrjeno|potrditev|takojšnja rezervacija',
  'visszaigazol*|megerősít*|azonnali foglalás*',
  'confirmată|confirmat|confirmare|confirmarea|rezervare instantanee',
  'confirmació|reserva immediata',
  'επιβεβαιω*|αμεση κρατηση',
  'onaylandı|onaylanan|onaylandi|onayı|onayi|onay|anında rezervasyon',
  'подтверждено|подтверждена|подтвержден|подтверждение|подтвердил|мгновенное бронирование',
  'підтверджено|підтверджена|підтвердження|миттєве бронювання',
  '確定|确认|確認|即時予約|即时预订|即時預訂|확정|즉시 예약',
]);

/** Phrases in subjects that announce a new booking. */
// biome-ignore format: a language a line.
export const NEW_BOOKING_PHRASES = new PhraseMatcher([
  'new … booking|new … reservation',
  'nouvelle … réservation',
  'neue … buchung|neue … reservierung|neue buchungen',
  'nueva … reserva|nueva … reservación',
  'nuova … prenotazione',
  'nova … reserva',
  'nieuwe … boeking|nieuwe … reservering|nieuwe last minutereservering|nieuwe last minuteboeking|nieuwe lastminutereservering|nieuwe lastminuteboeking',
  'ny … bokning',
  'ny … booking|ny … reservation|ny … bestilling|ny … reservasjon',
  'uusi … varaus|uusi äkkilähtövaraus|uusi … pikavaraus',
  'nowa … rezerwacja',
  'nová … rezervace|nová … rezervácia',
  'nova … rezervacija',
  'új … foglalás',
  'rezervare … nouă|o nouă rezervare',
  'νεα … κρατηση',
  'yeni … rezervasyon|yeni son dakika rezervasyonu',
  'новое … бронирование',
  'нове … бронювання',
  '新しい予約|新規予約|新しい直前予約|新预订|新的预订|新訂單|新預訂|新的预定|新的最后一刻预订|새 예약|새로운 예약|새로운 임박 예약',
]);

/** Words for a booking in every language, with their inflections. */
// biome-ignore format: a language a line.
export const BOOKING_NOUNS = new PhraseMatcher([
  'booking*|reservation*|stay|stays|request|réservation*|séjour|buchung*|reservierung*|aufenthalt|reserva|reservas|reservación|estancia|estadía|prenotazione|prenotazioni|soggiorno',
  'estadia|boeking*|reservering*|verblijf|bokning*|vistelse*|reservasjon*|bestilling*|opphold*|ophold*|varau*|rezerwac*|pobyt*|rezerv*|boravak|bivanje|foglalás*|tartózkodás*|ședere*|sejur*|estada',
  'κρατησ*|διαμον*|konaklama*|бронирован*|бронюван*|проживан*|预订|預訂|预定|订单|予約|宿泊|예약|숙박',
]);
